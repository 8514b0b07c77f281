import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import type { Accounts } from './accounts-file.ts';
import { callerOf, hideSecrets } from './accounts.ts';
import { codeTries } from './code-tries.ts';
import { type EmulatorModules, loadEmulator, type ProjectState } from './emulator-api.ts';
import { googleWindow, onlyGoogle } from './google.ts';
import { guardPasswords } from './passwords.ts';
import { demoProject } from './project.ts';
import { enrollSecondFactors } from './second-factor-enrollment.ts';
import { signInWithSecondFactors } from './second-factor-sign-in.ts';
import { issueBy, keepSessions } from './sessions.ts';
import type { EmulatorPerson, Notice, ProviderStart } from './messages.ts';

export interface Emulator {
  /** On the loopback address, chosen by the system. */
  readonly port: number;
  /** Everybody who can sign in now. */
  accounts(): Accounts;
}

export interface EmulatorEvents {
  /** After every request that may have changed an account. Its answer waits until this resolves. */
  changed(): Promise<void>;
  notice(notice: Notice): void;
}

/**
 * Starts the Firebase auth emulator for one project, with what it lacks for a stand-in, and fills it: first with the
 * accounts of an earlier run, then with the people who are not among them. Takes about 2 s, most of which is compiling
 * its API description.
 */
export async function startEmulator(
  { project: id, people, signIn, stylesheets }: Omit<ProviderStart, 'accountsPath' | 'sealingKey'>,
  known: Accounts,
  { changed, notice }: EmulatorEvents,
): Promise<Emulator> {
  const modules = loadEmulator(id);
  const project = demoProject(modules, id, signIn.includes('password'), notice);
  await fill(modules, project, known, people);
  complete(modules, project, signIn.includes('google'));
  const answerGoogle = googleWindow(project, stylesheets);
  const app = await modules.createApp(new Map([[id, project]]));
  const server = createServer((request, response) => {
    if (isOfBrowser(request)) return void response.writeHead(403).end();
    if (request.method === 'POST') answerOnce(changed, response);
    if (!answerGoogle(request, response)) app(request, response);
  });
  return {
    port: await listening(server),
    accounts: () => project.queryUsers({}, { sortByField: 'localId', order: 'ASC' }),
  };
}

/**
 * Browsers reach this provider through the server alone, which passes on neither header. Without this any web page that
 * finds the port could do what the SDK does, as the emulator lets every origin read its answers.
 */
function isOfBrowser({ headers, socket }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers.host !== `127.0.0.1:${socket.localPort}`;
}

/**
 * Keeps a whole answer back until what it acknowledges is saved. When it cannot be saved, the answer says so instead.
 */
function answerOnce(saved: () => Promise<void>, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const end = response.end.bind(response);
  // Node itself writes the head of an answer through `writeHead` once it ends.
  let released = false;
  const chunks: Buffer[] = [];
  let head: unknown[] | undefined;
  const keep = (args: readonly unknown[]): void => {
    const [chunk, encoding] = args;
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    for (const arg of args) if (typeof arg === 'function') process.nextTick(arg);
  };
  const held = {
    writeHead: (...args: unknown[]) => (released ? writeHead(...args) : ((head = args), response)),
    write: (...args: unknown[]) => (keep(args), true),
    end(...args: unknown[]) {
      keep(args);
      const settled = saved().finally(() => (released = true));
      settled.then(
        () => {
          if (head !== undefined) writeHead(...head);
          end(Buffer.concat(chunks));
        },
        () => {
          const message = 'The accounts cannot be saved at the moment. Try again shortly.';
          const body = JSON.stringify({ error: { code: 503, status: 'UNAVAILABLE', message } });
          writeHead(503, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
          end(body);
        },
      );
      return response;
    },
  };
  Object.assign(response, held);
}

/** Each wraps what the one before it left; those that need the emulator's own operations take them first. */
function complete(modules: EmulatorModules, project: ProjectState, google: boolean): void {
  const caller = callerOf(modules);
  const issue = issueBy(modules);
  const count = codeTries(modules);
  // Nobody has to prove to be a person before a text message is sent: it only goes to the outbox.
  modules.operations.identitytoolkit.getRecaptchaConfig = () => ({
    recaptchaKey: `projects/${project.projectId}/keys/none`,
    recaptchaEnforcementState: [],
  });
  keepSessions(modules, project);
  onlyGoogle(modules, google);
  guardPasswords(modules, caller);
  hideSecrets(modules, caller);
  enrollSecondFactors(modules, caller, count, issue);
  signInWithSecondFactors(modules, count, issue);
}

async function fill(
  { operations }: EmulatorModules,
  project: ProjectState,
  known: Accounts,
  people: readonly EmulatorPerson[],
): Promise<void> {
  for (const account of known) project.overwriteUserWithLocalId(account.localId, account);
  const missing = people.filter(({ id }) => project.getUserByLocalId(id) === undefined);
  if (missing.length === 0) return;
  const { error } = await operations.identitytoolkit.projects.accounts.batchCreate(
    project,
    {
      users: missing.map(({ id, email, name, password }) => ({
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
    throw new Error(`The auth emulator refused accounts: ${JSON.stringify(error)}`);
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
