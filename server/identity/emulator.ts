// The Firebase auth emulator, without the rest of the emulator suite: no Java, no UI, no second listener. `createApp`
// is internal to firebase-tools, which is why package.json pins that package to an exact version.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { RequestListener, Server } from 'node:http';
import type { Accounts } from './accounts-file.ts';
import { administratorPaths, clientOperations } from './operations.ts';

/** A person who can sign in from the start. */
export interface EmulatorPerson {
  /** Becomes the subject of their ID tokens, so that it must be the id of their `app_user` row. */
  id: string;
  email: string;
  name: string;
  password: string;
}

export interface Emulator {
  /** On the loopback address, chosen by the system. */
  port: number;
  /** Everybody who can sign in now. */
  accounts(): Promise<Accounts>;
}

/**
 * Starts the emulator for one project and fills it: first with the accounts of an earlier run, then with the people
 * who are not among them. Takes about 2 s, most of which is compiling its API description.
 *
 * @param changed called after every request that may have changed an account
 */
export async function startEmulator(
  project: string,
  known: Accounts,
  people: readonly EmulatorPerson[],
  changed: () => void,
): Promise<Emulator> {
  const app = await createApp(project);
  const server = createServer((request, response) => {
    if (request.method === 'POST') response.once('finish', changed);
    app(request, response);
  });
  const port = await listening(server);
  const admin = adminClient(`http://127.0.0.1:${port}`);
  const accounts = `/identitytoolkit.googleapis.com/v1/projects/${project}/accounts`;

  // A wrong password and an unknown address read alike, so that nobody can find out who has an account.
  await admin('PATCH', `/emulator/v1/projects/${project}/config`, {
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
  });
  if (known.length > 0) await admin('POST', `${accounts}:batchCreate`, { users: known, allowOverwrite: true });
  const present = new Set(known.map((account) => account.localId));
  const missing = people.filter((person) => !present.has(person.id));
  if (missing.length > 0) {
    await admin('POST', `${accounts}:batchCreate`, {
      users: missing.map(({ id, email, name, password }) => ({
        localId: id,
        email,
        displayName: name,
        rawPassword: password,
        emailVerified: true,
      })),
    });
  }
  return {
    port,
    async accounts() {
      const { users = [] } = (await admin('GET', `${accounts}:batchGet?maxResults=-1`)) as { users?: Accounts };
      return users;
    },
  };
}

/** The emulator with the operations that we use: the others would triple the time it takes to start. */
function createApp(project: string): Promise<RequestListener> {
  const load = createRequire(import.meta.url);
  const { default: api } = load('firebase-tools/lib/emulator/auth/apiSpec') as { default: { paths: object } };
  const used: ReadonlySet<string> = new Set([...clientOperations.map(([, , path]) => path), ...administratorPaths]);
  api.paths = Object.fromEntries(Object.entries(api.paths).filter(([path]) => used.has(path)));
  const emulator = load('firebase-tools/lib/emulator/auth/server') as {
    createApp: (project: string) => Promise<RequestListener>;
  };
  return emulator.createApp(project);
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Calls the emulator as its administrator. Only this process can: the proxy passes nothing on that could. */
function adminClient(base: string) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { error?: unknown };
    // A batch answers 200 even so, and lists what it could not import: an empty list when nothing went wrong.
    const failed = Array.isArray(answer.error) ? answer.error.length > 0 : answer.error !== undefined;
    if (failed) throw new Error(`The auth emulator refused ${method} ${path}: ${JSON.stringify(answer.error)}`);
    return answer;
  };
}
