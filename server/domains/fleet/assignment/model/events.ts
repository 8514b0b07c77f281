/** Events about assignments. */
import { AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { describeDevice, deviceEnvelope, loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { type NewEvent, newEvent, presentTags } from '#server/events/new-event.ts';
import { recordEvents } from '#server/events/record.ts';

import { type Link, type LinkedItems, loadLinkedItems, presentLink, tagOfLink } from './link.ts';

/** Records that assignments began or ended. The events follow the order of the links. */
export async function recordLinkEvents(
  tx: Tx,
  changes: readonly { readonly link: Link; readonly began: boolean }[],
  time: Date,
): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  const links = changes.map(({ link }) => link);
  const items = await loadLinkedItems(tx, links);
  const numbers = [...new Set(links.flatMap(({ number }) => number ?? []))];
  const subjects = await loadDeviceSubjects(tx, first.link.organization, numbers);
  const events = changes.map(({ link, began }): NewEvent => {
    const subject = link.number === null ? undefined : subjects.get(link.number);
    const linkTag = tagOfLink(link, items);
    const tags = presentTags(subject?.tags ?? (linkTag ? [linkTag] : []));
    const assignment = presentLink(link, items);
    const envelope = subject ? deviceEnvelope(subject, time, tags) : { organization: link.organization, time, tags };
    const device = subject && describeDevice(subject);
    return began
      ? newEvent(
          {
            type: EventType.ASSIGNED,
            title: 'Assigned',
            description: sentence(link, items, 'was assigned to', device),
            ...envelope,
          },
          (common) => ({ case: 'assigned', value: { tags, created: assignment, ...common } }),
        )
      : newEvent(
          {
            type: EventType.UNASSIGNED,
            title: 'Unassigned',
            description: sentence(link, items, 'was unassigned from', device),
            ...envelope,
          },
          (common) => ({ case: 'unassigned', value: { tags, removed: assignment, ...common } }),
        );
  });
  await recordEvents(tx, events);
}

/** Describes a change, as in `Parser "Level" was assigned to device "Avocet 3" (0000 0001).` */
function sentence(link: Link, items: LinkedItems, verb: string, device = `Device ${link.number ?? ''}`): string {
  const tagText = `tag "${tagOfLink(link, items)?.name ?? ''}"`;
  const point = `Process point "${items.points.get(link.point ?? '') ?? ''}"`;
  const parser = `Parser "${items.parsers.get(link.parser ?? '') ?? ''}"`;
  const lowerCase = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
  switch (link.type) {
    case AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE:
      return `${point} ${verb} ${lowerCase(device)}.`;
    case AssignmentType.ASSIGNS_PROCESS_POINT_TO_TAG:
      return `${point} ${verb} ${tagText}.`;
    case AssignmentType.ASSIGNS_MODEM_TO_TAG:
      return `${device} ${verb} ${tagText}.`;
    case AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG:
      return `${parser} ${verb} ${tagText}.`;
    default:
      return `${parser} ${verb} ${lowerCase(device)}.`;
  }
}
