import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

import type { Accounts } from './accounts-file.ts';
import { createAccountFinder, hideSecrets } from './accounts.ts';
import { limitCodeAttempts } from './code-attempts.ts';
import { type EmulatorModules, type EmulatorUser, loadEmulator, type ProjectState } from './emulator-api.ts';
import { serveGoogleWindow, allowOnlyGoogle } from './google.ts';
import type { EmulatorPerson, Notice, ProviderStart } from './messages.ts';
import { guardPasswords } from './passwords.ts';
import { createDemoProject } from './project.ts';
import { enrollSecondFactors } from './second-factor-enrollment.ts';
import { signInWithSecondFactors } from './second-factor-sign-in.ts';
import { createTokenIssuer, correctSessions } from './sessions.ts';

export interface Emulator {
  /** The loopback port, assigned by the operating system. */
  readonly port: number;
  /** Everyone who can currently sign in. */
  accounts(): Accounts;
}

export interface EmulatorEvents {
  /** Called after every request that may have changed an account. Its response waits until this resolves. */
  saveChanges(): Promise<void>;
  sendNotice(notice: Notice): void;
}

/**
 * Starts the Firebase auth emulator for one project and adds its missing features. Loads the accounts from an earlier
 * run, and creates accounts for people who have none yet. Takes about a second, mostly to load the emulator and compile
 * the API description.
 */
export async function startEmulator(
  { project: id, people, signIn, stylesheets }: Omit<ProviderStart, 'accountsPath' | 'sealingKey'>,
  accounts: Accounts,
  { saveChanges, sendNotice }: EmulatorEvents,
): Promise<Emulator> {
  const modules = loadEmulator(id);
  const project = createDemoProject(modules, id, signIn.includes('password'), sendNotice);
  await addAccounts(modules, project, accounts, people);
  wrapOperations(modules, project, signIn.includes('google'));
  const handleGooglePage = serveGoogleWindow(project, stylesheets);
  const app = await modules.createApp(new Map([[id, project]]));
  const server = createServer((request, response) => {
    if (isFromBrowser(request)) return void response.writeHead(403).end();
    if (request.method === 'POST') respondOnceSaved(saveChanges, response);
    if (!handleGooglePage(request, response)) app(request, response);
  });
  return {
    port: await startListening(server),
    accounts: () => project.queryUsers({}, { sortByField: 'localId', order: 'ASC' }),
  };
}

/**
 * True for a request that a browser sent directly. Browsers reach this provider only through the server, which forwards
 * neither header. Without this check, any web page that finds the port could act as the SDK, because the emulator lets
 * every origin read its responses.
 */
function isFromBrowser({ headers, socket }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers.host !== `127.0.0.1:${socket.localPort}`;
}

/** Holds back the whole response until the change that it acknowledges is saved. If saving fails, responds with 503. */
function respondOnceSaved(save: () => Promise<void>, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const end = response.end.bind(response);
  // Once released, `writeHead` is passed through, because Node calls it when a response ends.
  let isReleased = false;
  const chunks: Buffer[] = [];
  let head: unknown[] | undefined;
  const buffer = (args: readonly unknown[]): void => {
    const [chunk, encoding] = args;
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    for (const arg of args) if (typeof arg === 'function') process.nextTick(arg);
  };
  const deferredMethods = {
    writeHead: (...args: unknown[]) => (isReleased ? writeHead(...args) : ((head = args), response)),
    write: (...args: unknown[]) => (buffer(args), true),
    end(...args: unknown[]) {
      buffer(args);
      const saving = save().finally(() => (isReleased = true));
      saving.then(
        () => {
          if (head !== undefined) writeHead(...head);
          end(Buffer.concat(chunks));
        },
        () => {
          const message = "The accounts can't be saved right now. Try again shortly.";
          const body = JSON.stringify({ error: { code: 503, status: 'UNAVAILABLE', message } });
          writeHead(503, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
          end(body);
        },
      );
      return response;
    },
  };
  Object.assign(response, deferredMethods);
}

/**
 * Wraps the emulator's operations. Each step wraps the result of the previous one. Steps that need the original
 * operations come first.
 */
function wrapOperations(modules: EmulatorModules, project: ProjectState, allowGoogle: boolean): void {
  const findAccount = createAccountFinder(modules);
  const issueTokens = createTokenIssuer(modules);
  const checkCode = limitCodeAttempts(modules);
  // Text messages require no captcha, because they go only to the outbox.
  modules.operations.identitytoolkit.getRecaptchaConfig = () => ({
    recaptchaKey: `projects/${project.projectId}/keys/none`,
    recaptchaEnforcementState: [],
  });
  correctSessions(modules, project);
  allowOnlyGoogle(modules, allowGoogle);
  guardPasswords(modules, findAccount);
  hideSecrets(modules, findAccount);
  enrollSecondFactors(modules, findAccount, checkCode, issueTokens);
  signInWithSecondFactors(modules, checkCode, issueTokens);
}

const BUILT_IN_PROVIDERS: ReadonlySet<string> = new Set(['password', 'phone']);

/**
 * Returns a user's sign-in providers other than password and phone. The emulator adds those two itself, so they would
 * otherwise appear twice.
 */
function linkedProviders({ providerUserInfo = [] }: EmulatorUser): Pick<EmulatorUser, 'providerUserInfo'> {
  return { providerUserInfo: providerUserInfo.filter(({ providerId }) => !BUILT_IN_PROVIDERS.has(providerId)) };
}

async function addAccounts(
  { operations }: EmulatorModules,
  project: ProjectState,
  accounts: Accounts,
  people: readonly EmulatorPerson[],
): Promise<void> {
  for (const account of accounts)
    project.overwriteUserWithLocalId(account.localId, { ...account, ...linkedProviders(account) });
  const missingPeople = people.filter(({ id }) => project.getUserByLocalId(id) === undefined);
  if (missingPeople.length === 0) return;
  const { error } = await operations.identitytoolkit.projects.accounts.batchCreate(
    project,
    {
      users: missingPeople.map(({ id, email, name, password }) => ({
        localId: id,
        email,
        displayName: name,
        rawPassword: password,
        emailVerified: true,
      })),
    },
    {},
  );
  if ((error as readonly unknown[]).length > 0) {
    throw new Error(`The auth emulator rejected accounts: ${JSON.stringify(error)}`);
  }
}

function startListening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
