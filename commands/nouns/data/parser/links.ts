import type { Context } from '#commands/model/context.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { AssignmentService, AssignmentType, type Assignment } from '#proto/gen/hiber/assignment_pb.ts';

/** The kinds of items that parsers can be assigned to. */
export type LinkSide = 'device' | 'tag';

const TYPES: Readonly<Record<LinkSide, AssignmentType>> = {
  device: AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM,
  tag: AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_TAG,
};

/** Lists the current assignments of parsers to devices or to tags, newest first. */
export function loadLinks(context: Context, identifiers: readonly string[], side: LinkSide) {
  return async (pagination: { page?: number; size?: number }) => {
    const { assignments, pagination: result } = await context.api(AssignmentService).list(
      {
        organization: context.organization.id,
        selection: {
          modemMessageBodyParsers: { identifiers: [...identifiers] },
          types: { include: [TYPES[side]] },
        },
        useProcessPoint: true,
        pagination,
      },
      { signal: context.signal },
    );
    return { items: assignments, pagination: result };
  };
}

/** Returns the number of the device, or the id of the tag, that a parser is assigned to. */
export function linkedId({ to }: Assignment): string | undefined {
  if (to.case === 'toModem') return to.value;
  return to.case === 'toTag' ? `${to.value.id}` : undefined;
}

/** Returns the ids of the devices or tags that a parser is assigned to directly. */
export async function loadLinkedIds(
  context: Context,
  identifier: string,
  side: LinkSide,
): Promise<ReadonlySet<string>> {
  const links = await loadAllPages(loadLinks(context, [identifier], side));
  return new Set(links.flatMap((link) => linkedId(link) ?? []));
}
