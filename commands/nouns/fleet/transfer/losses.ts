/** Counts what devices lose when they are transferred, for the plan. */
import type { Context } from '#commands/model/context.ts';
import { ALL_TIME } from '#commands/model/wire.ts';
import { selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import { organizationIdOf, type Device } from '#commands/nouns/fleet/device/item.ts';
import { chunks, IDS_PER_REQUEST } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { ModemSelection } from '#proto/gen/hiber/modem_pb.ts';

type Count = (context: Context, organization: string, modems: ModemSelection) => Promise<number>;

const countMessages: Count = async ({ api, signal }, organization, modemSelection) => {
  const { MessageService } = await import('#proto/gen/hiber/message_pb.ts');
  const request = { organization, selection: { modemSelection, timeRange: ALL_TIME } };
  const { messageCountPerDay } = await api(MessageService).count(request, { signal });
  return messageCountPerDay.reduce((sum, { count }) => sum + count, 0);
};

/** Counts the parsers and process points of the devices. */
const countAssignments: Count = async ({ api, signal }, organization, modems) => {
  const { AssignmentService, AssignmentType } = await import('#proto/gen/hiber/assignment_pb.ts');
  const types = {
    include: [AssignmentType.ASSIGNS_PROCESS_POINT_TO_DEVICE, AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM],
  };
  const request = {
    organization,
    selection: { modems, types },
    includeInactiveAssignments: true,
    useProcessPoint: true,
    pagination: { size: 1 },
  };
  const { pagination } = await api(AssignmentService).list(request, { signal });
  return pagination?.total ?? 0;
};

async function total(context: Context, items: readonly Device[], count: Count): Promise<number> {
  let sum = 0;
  for (const [organization, group] of groupBy(items, organizationIdOf)) {
    for (const part of chunks(group, IDS_PER_REQUEST)) {
      sum += await count(context, organization, selectNumbers(part.map(({ modem }) => modem.number)));
    }
  }
  return sum;
}

/** Returns a note for each kind of data that is lost, as far as the user may count it. */
export async function countLosses(context: Context, items: readonly Device[]): Promise<readonly Message[]> {
  if (items.length === 0) return [];
  const { abilities } = context.actor;
  const [messages, assignments] = await Promise.all([
    abilities.has('VIEW_MESSAGES') ? total(context, items, countMessages) : undefined,
    abilities.has('ASSIGNMENTS') ? total(context, items, countAssignments) : undefined,
  ]);
  const tags = items.reduce((sum, { modem }) => sum + modem.tags.length, 0);
  return [
    message('transfer:plan.deletes'),
    ...(messages === undefined ? [] : [message('transfer:plan.messages', { count: messages })]),
    ...(assignments ? [message('transfer:plan.assignments', { count: assignments })] : []),
    ...(tags > 0 ? [message('transfer:plan.tags', { count: tags })] : []),
    message('transfer:plan.installed'),
  ];
}
