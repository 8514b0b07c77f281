import { beforeCommit } from '#server/db/before-commit.ts';
import type { Tx } from '#server/db/database.ts';
import { notifyOnCommit } from '#server/db/notify.ts';

import { ACCESS_CHANNEL } from './channels.ts';

/** Something that a call's access depends on. Created only by {@link accessSubject}. */
export type AccessSubject = `${keyof typeof accessSubject}:${string}`;

export const accessSubject = {
  /** Memberships, roles, and the account itself: all access of a user, whether signed in or using a token. */
  user: (id: string) => `user:${id}` as const,
  /** All sign-ins of a user. The user's tokens don't depend on them. */
  signIns: (userId: string) => `signIns:${userId}` as const,
  signIn: (userId: string, id: string) => `signIn:${id}:${userId}` as const,
  token: ({ organization, id }: { organization: string; id: number }) => `token:${organization}:${id}` as const,
  /** An organization's existence, and its sign-in rules. */
  organization: (id: string) => `organization:${id}` as const,
  supportSession: ({ organization, id }: { organization: string; id: number }) =>
    `supportSession:${organization}:${id}` as const,
};

/** The payload of a notification must stay below 8,000 bytes. */
const MAX_BYTES = 7500;

const changedSubjects = new WeakMap<Tx, Set<AccessSubject>>();

/**
 * When the transaction commits, notifies every process to end everything that depends on the given subjects. These
 * notices always come last in the transaction, regardless of when this is called. A stream therefore delivers the
 * events that the transaction recorded, under its previous access, before ending.
 */
export function announceAccessChanged(tx: Tx, subjects: readonly AccessSubject[]): void {
  if (subjects.length === 0) return;
  const existing = changedSubjects.get(tx);
  const pendingSubjects = existing ?? new Set();
  for (const subject of subjects) pendingSubjects.add(subject);
  if (existing !== undefined) return;
  changedSubjects.set(tx, pendingSubjects);
  beforeCommit(tx, async () => {
    // Sent after the notifications about events, also if those were added later.
    notifyOnCommit(tx, ACCESS_CHANNEL, [...payloads([...pendingSubjects])]);
  });
}

function* payloads(subjects: readonly AccessSubject[]): Generator<string> {
  let part: AccessSubject[] = [];
  let bytes = 2;
  for (const subject of subjects) {
    const length = Buffer.byteLength(JSON.stringify(subject)) + 1;
    if (bytes + length > MAX_BYTES && part.length > 0) {
      yield JSON.stringify(part);
      part = [];
      bytes = 2;
    }
    part.push(subject);
    bytes += length;
  }
  yield JSON.stringify(part);
}
