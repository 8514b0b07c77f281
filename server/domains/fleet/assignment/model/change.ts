/** Creates, ends, and deletes assignments, with their events and a constant number of statements. */
import { AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { changeTags } from '#server/domains/fleet/device/update-tags.ts';
import type { Scope } from '#server/session/scope.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

import { type AssignOptions, assignPeriods, describePeriod, endPeriods } from './change-periods.ts';
import { recordLinkEvents } from './events.ts';
import { deleteLinks, findLinks, insertLinks, keyOf, type Sides } from './link-rows.ts';
import type { Link } from './link.ts';

/** The maximum number of links that one call changes. */
const MAX_LINKS = 10_000;

/**
 * Assigns the items of one side to those of the other. Existing assignments stay as they are.
 *
 * @returns all links between the items, and the new links
 */
export async function assignItems(
  tx: Tx,
  caller: Scope,
  sides: Sides,
  options: AssignOptions,
): Promise<{ readonly links: readonly Link[]; readonly created: readonly Link[] }> {
  requireFewLinks(sides);
  if (sides.type === AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE) return assignPeriods(tx, caller, sides, options);
  if (options.until !== null) {
    throw invalidArgument(
      'Only an assignment of a device to a process point can end in the past. Other assignments keep no history.',
    );
  }
  const keys = await insertLinks(tx, caller.organization, sides, options);
  const links = await findLinks(tx, caller, sides);
  const created = links.filter((link) => keys.has(keyOf(link)));
  await recordLinkEvents(
    tx,
    created.map((link) => ({ link, began: true })),
    options.now,
  );
  return { links, created };
}

/**
 * Ends the current assignments between the items at a time in the past, or now.
 *
 * @returns the links that ended
 */
export async function unassignItems(
  tx: Tx,
  caller: Scope,
  sides: Sides,
  { now, at }: { readonly now: Date; readonly at: Date },
): Promise<Link[]> {
  requireFewLinks(sides);
  if (sides.type !== AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE) return deleteItems(tx, caller, sides, now, at);
  const current = (await findLinks(tx, caller, sides)).filter(({ until }) => until === null);
  const laterLink = current.find(({ since }) => since >= at);
  if (laterLink !== undefined) {
    throw failedPrecondition(
      `${describePeriod(laterLink, sides.points)}, so it can't end at ${at.toISOString()}. Delete the assignment instead.`,
    );
  }
  const endedLinks = current.map((link) => ({ ...link, until: at }));
  await endPeriods(tx, endedLinks);
  await recordLinkEvents(
    tx,
    endedLinks.map((link) => ({ link, began: false })),
    now,
  );
  return endedLinks;
}

/**
 * Deletes the assignments between the items, with their history.
 *
 * @param until when the links end, as the response presents it; absent for the stored end
 */
export async function deleteItems(tx: Tx, caller: Scope, sides: Sides, now: Date, until?: Date): Promise<Link[]> {
  requireFewLinks(sides);
  const storedLinks = await findLinks(tx, caller, sides);
  const links = until === undefined ? storedLinks : storedLinks.map((link) => ({ ...link, until }));
  if (sides.type === AssignmentType.ASSIGNS_MODEM_TO_TAG) {
    await changeTags(tx, caller.organization, sides.numbers, { add: [], remove: sides.tags }, now);
  } else {
    await deleteLinks(tx, sides.type, links);
  }
  await recordLinkEvents(
    tx,
    links.map((link) => ({ link, began: false })),
    now,
  );
  return links;
}

function requireFewLinks(sides: Sides): void {
  const sizes = [
    'parsers' in sides ? sides.parsers.length : 1,
    'numbers' in sides ? sides.numbers.length : 1,
    'tags' in sides ? sides.tags.length : 1,
    'points' in sides ? sides.points.length : 1,
  ];
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count > MAX_LINKS) {
    throw invalidArgument(`This selects ${count} assignments. A call can change at most ${MAX_LINKS}.`);
  }
}
