import type { MessageInitShape } from '@bufbuild/protobuf';

import { command } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { toTimeRange } from '#commands/model/time.ts';
import { device, selectNumbers } from '#commands/nouns/fleet/device/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import { chunks, IDS_PER_REQUEST } from '#commands/run/paging.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import { MessageService, type MessageSelectionSchema } from '#proto/gen/hiber/message_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';

import { parser } from './entity.ts';
import { idOf, type ParserItem } from './item.ts';
import { loadLinkedIds } from './links.ts';
import { selectParsers } from './list.ts';

/** Messages per call: few enough to show progress, and to stop soon when the run is canceled. */
const MESSAGES_PER_CALL = 100;

interface RetryArgs {
  readonly parsers: { readonly items: readonly ParserItem[] };
  readonly period: { readonly start: string; readonly end: string };
  readonly devices: string | undefined;
}

type Selection = MessageInitShape<typeof MessageSelectionSchema>;

/** Returns the numbers of the devices in a filter, or of the devices that the parsers are assigned to. */
async function loadDeviceNumbers(context: Context, { parsers, devices }: RetryArgs): Promise<readonly string[]> {
  if (devices !== undefined) return (await listAll(device, devices, context)).map(device.id);
  const ids = parsers.items.map(idOf);
  const deviceParserIds = await Promise.all(ids.map((id) => loadLinkedIds(context, id, 'device')));
  const tags = await Promise.all(ids.map((id) => loadLinkedIds(context, id, 'tag')));
  const tagIds = [...new Set(tags.flatMap((set) => [...set]))];
  const tagParserIds =
    tagIds.length > 0 ? await listAll(device, `tag:${tagIds.map((id) => `"#${id}"`).join(',')}`, context) : [];
  return [...new Set([...deviceParserIds.flatMap((set) => [...set]), ...tagParserIds.map(device.id)])];
}

/** Returns the selections of the messages to parse again, each for a limited number of devices. */
async function loadMessageSelections(context: Context, args: RetryArgs): Promise<readonly Selection[]> {
  const timeRange = toTimeRange(args.period, context.now(), firstDay(context.preferences));
  return chunks(await loadDeviceNumbers(context, args), IDS_PER_REQUEST).map((numbers) => ({
    modemSelection: selectNumbers(numbers),
    timeRange,
  }));
}

async function countMessages({ api, organization, signal }: Context, selections: readonly Selection[]) {
  const counts = await Promise.all(
    selections.map(async (selection) => {
      const request = { organization: organization.id, selection };
      const { messageCountPerDay } = await api(MessageService).count(request, { signal });
      return messageCountPerDay.reduce((sum, { count }) => sum + count, 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

interface Tally {
  readonly parsed: number;
  readonly failed: number;
}

/** Parses the messages again, page by page. The selections end in the past, so new messages do not shift the pages. */
async function retryAll(
  context: RunContext,
  selections: readonly Selection[],
  options: { readonly total: number; readonly identifiers: readonly string[]; readonly suppressEvents: boolean },
): Promise<Tally> {
  const { api, organization, signal, stop } = context;
  const tally = { parsed: 0, failed: 0 };
  let doneCount = 0;
  for (const selection of selections) {
    for (let page = 0; !stop.aborted; page++) {
      const listRequest = { organization: organization.id, selection, pagination: { page, size: MESSAGES_PER_CALL } };
      const { messages } = await api(MessageService).list(listRequest, { signal });
      if (messages.length === 0) break;
      const { parsedMessages } = await api(ModemMessageBodyParserService).retry(
        {
          organization: organization.id,
          modemMessageIds: messages.map(({ messageId }) => messageId),
          parserSelection: selectParsers(options.identifiers),
          suppressEvents: options.suppressEvents,
        },
        { signal },
      );
      const failedCount = parsedMessages.filter(({ parsed }) => parsed.case === 'error').length;
      tally.failed += failedCount;
      tally.parsed += parsedMessages.length - failedCount;
      doneCount += messages.length;
      context.progress({ done: doneCount, total: Math.max(doneCount, options.total) });
    }
  }
  return tally;
}

export const retryMessages = command({
  id: 'parser.retry',
  on: () => parser,
  requires: ['MANAGE_PARSERS', 'ASSIGNMENTS', 'VIEW_DEVICES', 'VIEW_MESSAGES'],
  effect: 'write',
  params: {
    parsers: p.many(() => parser),
    period: required(p.range({ max: 'now' })),
    devices: p.query(() => device),
    suppressEvents: p.flag(),
  },
  positional: ['parsers', 'period'],
  plan: async (context, args) => {
    const selections = await loadMessageSelections(context, args);
    const count = await countMessages(context, selections);
    return {
      summary: message('parser:plan.retry', { count }),
      count,
      changes: [],
      notes: [
        message('parser:plan.retryParsers', { parsers: args.parsers.items.map(parser.label).join(', ') }),
        message(args.suppressEvents ? 'parser:plan.retryQuiet' : 'parser:plan.retryEvents'),
      ],
      reversible: false,
    };
  },
  run: async (context, args) => {
    const selections = await loadMessageSelections(context, args);
    const { parsed, failed } = await retryAll(context, selections, {
      total: await countMessages(context, selections),
      identifiers: args.parsers.items.map(idOf),
      suppressEvents: args.suppressEvents,
    });
    return {
      changed: ['device', 'process-point'],
      results: args.parsers.items.map((item) => ({ id: idOf(item), label: parser.label(item) })),
      message:
        failed > 0
          ? message('parser:done.retriedPartly', { count: parsed + failed, failed })
          : message('parser:done.retried', { count: parsed }),
      data: { parsed, failed },
    };
  },
});
