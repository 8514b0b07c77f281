import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { PersonKind } from '#server/demo/seed/people.ts';

import { getPerson } from './people.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder for the command line's files, instead of the home folder of the person who runs the tests. */
const home = mkdtempSync(join(tmpdir(), 'quarterdeck-e2e-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

export interface ProgramResult {
  readonly code: number | null;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

/** A signed-in terminal, with the values of `QUARTERDECK_SERVER` and `QUARTERDECK_TOKEN`. */
export interface Terminal {
  readonly server: string;
  readonly token: string;
}

/** Runs a line of our command line in the terminal, such as `tag list`. */
export function quarterdeck(terminal: Terminal, line: string): Promise<ProgramResult> {
  return typeLine(terminal, `node commands/cli/quarterdeck.mjs ${line}`);
}

/** Types a line into the shell, which interprets its quotes. */
export async function typeLine({ server, token }: Terminal, line: string): Promise<ProgramResult> {
  const child = spawn(line, {
    cwd: root,
    shell: true,
    env: { ...process.env, QUARTERDECK_SERVER: server, QUARTERDECK_TOKEN: token, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output(), errors: errors() };
}

/** Signs in to the server's identity provider, as a program without a token does. */
export async function signInTerminal(server: string, kind: PersonKind): Promise<Terminal> {
  const { email, password } = getPerson(kind);
  const path = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo';
  const response = await fetch(new URL(path, server), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  const { idToken } = (await response.json()) as { idToken?: string };
  if (idToken === undefined) throw new Error(`${kind} can't sign in: ${response.status}`);
  return { server, token: idToken };
}

export interface Receiver {
  readonly url: string;
  /** One line per call, newest last. */
  lines(): readonly string[];
  stop(): Promise<void>;
}

/** Starts `npm run receiver` on its own port. */
export async function startReceiver(secret: string): Promise<Receiver> {
  const child = spawn('npm', ['run', '--silent', 'receiver', '--', '--port', '0', '--secret', secret], {
    cwd: root,
    // A separate process group, so the processes that npm starts can be stopped with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = collect(child.stdout);
  const url = await waitForMatch(child, output, /Listening on (\S+);/);
  return {
    url,
    lines: () => output().split('\n').slice(1, -1),
    stop: async () => {
      const closed = once(child, 'close');
      if (child.pid !== undefined) process.kill(-child.pid);
      await closed;
    },
  };
}

async function waitForMatch(child: ChildProcess, output: () => string, pattern: RegExp): Promise<string> {
  for (;;) {
    const [, match] = pattern.exec(output()) ?? [];
    if (match !== undefined) return match;
    if (child.exitCode !== null || !child.stdout) throw new Error(`The receiver exited: ${output()}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}
