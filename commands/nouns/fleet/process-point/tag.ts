import type { CallContext } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { addedBy, listChange, removedBy } from '#commands/kit/list-change.ts';
import type { Command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { message } from '#commands/text/message.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';

import { processPoint } from './entity.ts';
import { organizationIdOf } from './item.ts';

/** Assigns or unassigns tags of points. */
export async function sendTags(
  { api, organization, signal }: CallContext,
  verb: 'tag' | 'untag',
  identifiers: readonly string[],
  tagIds: readonly bigint[],
): Promise<void> {
  const request = {
    organization,
    selection: { identifiers: [...identifiers] },
    tags: { filter: { include: [...tagIds] } },
    // The response includes a page of the points, which we don't need.
    pagination: { size: 1 },
  };
  const points = api(ProcessPointService);
  await (verb === 'tag' ? points.assignTag(request, { signal }) : points.unassignTag(request, { signal }));
}

/** Identifies a tag in an argument by its id because names need not be unique. */
const idOf = (tagId: bigint): string => `#${tagId}`;

function tagCommand(verb: 'tag' | 'untag'): Command {
  return listChange({
    entity: processPoint,
    verb,
    target: 'processPoints',
    requires: ['VIEW_PROCESS_POINTS', 'ASSIGNMENTS'],
    keys: [LETTERS[verb]],
    params: { tags: required(p.refs(() => tag)) },
    positional: ['tags'],
    validate: ({ organization }, items) => {
      if (items.every((item) => organizationIdOf(item) === organization.id)) return;
      throw new CommandError(message('process-point:validation.otherTags', { organization: organization.name }));
    },
    field: message('process-point:fields.tags'),
    current: ({ point }) => point.tags.map(({ id }) => idOf(id)),
    after: (current, { tags }) => {
      const ids = tags.map((item) => idOf(item.tag.id));
      return verb === 'tag' ? [...new Set([...current, ...ids])] : current.filter((id) => !ids.includes(id));
    },
    label: (id, { point }, { tags }) => {
      const tagItem = tags.find((item) => idOf(item.tag.id) === id);
      return tagItem ? tag.label(tagItem) : (point.tags.find((item) => idOf(item.id) === id)?.label?.name ?? id);
    },
    undo: (difference) =>
      verb === 'tag'
        ? { verb: 'untag', args: { tags: addedBy(difference) } }
        : { verb: 'tag', args: { tags: removedBy(difference) } },
    call: (context, items, { tags }) =>
      sendTags(
        context,
        verb,
        items.map(processPoint.id),
        tags.map((item) => item.tag.id),
      ),
    changed: ['tag'],
  });
}

export const tagPoints = tagCommand('tag');
export const untagPoints = tagCommand('untag');
