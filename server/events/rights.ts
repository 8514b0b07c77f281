import { sql } from 'drizzle-orm';
import { beforeCommit } from '#server/db/before-commit.ts';
import type { Tx } from '#server/db/database.ts';
import { RIGHTS_CHANNEL } from './channels.ts';

/** Something that what a call may do depends on. Made by {@link rightsOf} only. */
export type RightsSubject = `${keyof typeof rightsOf}:${string}`;

export const rightsOf = {
  /** Memberships, roles, the account itself: whatever a person may do, signed in or with a token. */
  user: (id: string) => `user:${id}` as const,
  /** All sign-ins of a person; their tokens do not depend on these. */
  signIns: (userId: string) => `signIns:${userId}` as const,
  signIn: (userId: string, id: string) => `signIn:${id}:${userId}` as const,
  token: ({ organization, id }: { organization: string; id: number }) => `token:${organization}:${id}` as const,
  /** An organization's existence, and its rules for signing in. */
  organization: (id: string) => `organization:${id}` as const,
  supportSession: ({ organization, id }: { organization: string; id: number }) =>
    `supportSession:${organization}:${id}` as const,
};

/** A notification's payload must stay below 8,000 bytes. */
const MAX_BYTES = 7500;

const changedIn = new WeakMap<Tx, Set<RightsSubject>>();

/**
 * Tells every process, when the transaction commits, that whatever was opened under these rights must end. The notices
 * are the last of the transaction, whenever in it this is called: a stream delivers what the same transaction recorded,
 * under the rights of before, and then ends.
 */
export function tellRightsChanged(tx: Tx, subjects: readonly RightsSubject[]): void {
  if (subjects.length === 0) return;
  const known = changedIn.get(tx);
  const changed = known ?? new Set();
  for (const subject of subjects) changed.add(subject);
  if (known !== undefined) return;
  changedIn.set(tx, changed);
  beforeCommit(tx, async () => {
    for (const payload of payloads([...changed])) {
      await tx.execute(sql`select pg_notify(${RIGHTS_CHANNEL}, ${payload})`);
    }
  });
}

function* payloads(subjects: readonly RightsSubject[]): Generator<string> {
  let part: RightsSubject[] = [];
  let bytes = 2;
  for (const subject of subjects) {
    const more = Buffer.byteLength(JSON.stringify(subject)) + 1;
    if (bytes + more > MAX_BYTES && part.length > 0) {
      yield JSON.stringify(part);
      part = [];
      bytes = 2;
    }
    part.push(subject);
    bytes += more;
  }
  yield JSON.stringify(part);
}
