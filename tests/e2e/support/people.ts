import type { DemoPerson, PersonKind } from '#server/demo/seed/people.ts';
import { demoPeople } from '#server/demo/seed/people.ts';

/** Returns the demo person of the given kind. */
export function getPerson(kind: PersonKind): DemoPerson {
  const person = demoPeople.find((demoPerson) => demoPerson.kind === kind);
  if (!person) throw new Error(`The demo has no ${kind}.`);
  return person;
}
