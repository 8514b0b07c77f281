import type { DemoPerson, PersonKind } from '#server/demo/seed/people.ts';
import { demoPeople } from '#server/demo/seed/people.ts';

/** Returns the demo person of that kind. */
export function personOf(kind: PersonKind): DemoPerson {
  const person = demoPeople.find((demoPerson) => demoPerson.kind === kind);
  if (!person) throw new Error(`nobody in the demo is a ${kind}`);
  return person;
}
