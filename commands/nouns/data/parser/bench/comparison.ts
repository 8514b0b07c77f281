import { create, type MessageInitShape } from '@bufbuild/protobuf';

import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { ALL_TIME, toMs, textOf } from '#commands/model/wire.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { compileText } from '#commands/query/compile.ts';
import { message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import {
  type Message as DeviceMessage,
  MessageSelectionSchema,
  MessageService,
  type MessageSelection,
} from '#proto/gen/hiber/message_pb.ts';

import {
  countVerdicts,
  differenceOf,
  VERDICTS,
  type Counts,
  type Difference,
  type Trial,
  type Verdict,
} from './difference.ts';
import { isSameSource, type Source } from './source.ts';
import { openTrials, type TrySome } from './trials.ts';

/** A stored message to parse again. */
export interface StoredMessage {
  readonly id: string;
  /** The number of its device. */
  readonly device: string;
  readonly sent: string;
  readonly sentMs: number | undefined;
  readonly hex: string;
}

export interface ComparedMessage extends StoredMessage {
  readonly difference: Difference;
}

export interface Comparison {
  readonly counts: Counts;
  /** The verdict on each message, in the order of the messages. */
  readonly verdicts: readonly Verdict[];
  /** The first messages of each verdict, or all that differ, the most urgent verdict first. */
  readonly rows: readonly ComparedMessage[];
}

interface Definitions {
  /** The saved definition. Absent for a new parser. */
  readonly before: Source | undefined;
  readonly after: Source;
  /** The parser's declared fields, which a result needs. */
  readonly fields: readonly Field[];
  /** The saved definition's results by message id. Those of the first messages are kept for the next run. */
  readonly savedTrials?: Map<string, Trial>;
}

/** The number of messages to compare by default. */
export const DEFAULT_MESSAGES = 20;
export const MAX_MESSAGES = 10_000;
/** The number of messages that the bench keeps in full, keyed by verdict. */
const MAX_ROWS: Readonly<Record<Verdict, number>> = {
  nowFails: 500,
  fails: 500,
  changed: 500,
  nowWorks: 500,
  works: 100,
  same: 50,
};

/**
 * Returns up to `max` rows in their order. Verdicts with few rows keep all of them, so the many of one verdict never
 * hide those of another.
 */
export function sampleRows(rows: readonly ComparedMessage[], max: number): readonly ComparedMessage[] {
  if (rows.length <= max) return rows;
  const counts = countVerdicts(rows.map(({ difference }) => difference.verdict));
  const quotas = countVerdicts([]) as Record<Verdict, number>;
  let left = max;
  const fewestFirst = VERDICTS.filter((verdict) => counts[verdict] > 0).toSorted((a, b) => counts[a] - counts[b]);
  for (const [index, verdict] of fewestFirst.entries()) {
    quotas[verdict] = Math.min(counts[verdict], Math.floor(left / (fewestFirst.length - index)));
    left -= quotas[verdict];
  }
  return rows.filter(({ difference }) => quotas[difference.verdict]-- > 0);
}

/** The number of messages to search through for those that a parser was applied to. */
const MAX_SEARCHED_MESSAGES = 2000;
const PAGE_SIZE = 200;

/**
 * Selects the messages of the devices that match a filter.
 *
 * @throws CommandError if the filter has conditions by which the contract can't select messages
 */
export async function loadMessages(
  context: Context,
  filter: string,
  timeRange: MessageInitShape<typeof MessageSelectionSchema>['timeRange'] = ALL_TIME,
): Promise<MessageSelection> {
  const { selection } = await compileText(device, filter, context);
  if (selection.below || selection.locations) throw new CommandError(message('parser:bench.against'), 'against');
  return create(MessageSelectionSchema, { modemSelection: selection.modems, timeRange });
}

/** Selects the newest messages, or only those that a parser was applied to. */
export interface MessageQuery {
  readonly selection: MessageSelection;
  /** The identifier of the parser. The contract cannot select by it, so this searches a bounded number of messages. */
  readonly parsedBy?: string | undefined;
  readonly limit: number;
  /** True to keep every message that differs in full, rather than the first ones of each verdict. */
  readonly keepsAll?: boolean;
}

export function allMessages(): MessageSelection {
  return create(MessageSelectionSchema, { timeRange: ALL_TIME });
}

interface MessagePage {
  readonly messages: readonly StoredMessage[];
  /** The number of messages to expect overall. */
  readonly total: number;
}

/** Loads stored messages page by page, newest first. */
async function* loadStoredMessages(
  { api, organization, signal }: Context,
  { selection, parsedBy, limit }: MessageQuery,
): AsyncGenerator<MessagePage> {
  const size = parsedBy === undefined ? Math.min(limit, PAGE_SIZE) : PAGE_SIZE;
  // New messages push others to the next page, where they would count again.
  const seen = new Set<bigint>();
  for (let page = 0, count = 0; count < limit; page++) {
    signal.throwIfAborted();
    const request = { organization: organization.id, selection, pagination: { page, size } };
    const { messages, pagination } = await api(MessageService).list(request, { signal });
    const unseen = messages.filter(({ messageId }) => !seen.has(messageId));
    for (const { messageId } of unseen) seen.add(messageId);
    const matching = unseen
      .filter(({ bodyParsed }) => !parsedBy || bodyParsed.some((parsed) => parsed.parserIdentifier === parsedBy))
      .slice(0, limit - count);
    count += matching.length;
    const total = parsedBy === undefined ? Math.min(limit, pagination?.total ?? count) : limit;
    yield { messages: matching.map(toStored), total };
    const isLast = messages.length === 0 || page + 1 >= (pagination?.totalPages ?? 0);
    if (isLast || (parsedBy !== undefined && (page + 1) * size >= MAX_SEARCHED_MESSAGES)) return;
  }
}

function toStored({ messageId, modemNumber, sentAt, bodyBytes }: DeviceMessage): StoredMessage {
  return {
    id: `${messageId}`,
    device: modemNumber,
    sent: textOf(sentAt) ?? '',
    sentMs: toMs(sentAt),
    hex: (bodyBytes?.hex ?? '').toUpperCase(),
  };
}

/** Loads the newest stored messages. */
export async function loadNewestMessages(context: Context, query: MessageQuery): Promise<readonly StoredMessage[]> {
  const loadedMessages: StoredMessage[] = [];
  for await (const { messages } of loadStoredMessages(context, query)) loadedMessages.push(...messages);
  return loadedMessages;
}

interface ComparisonProgress {
  readonly done: number;
  readonly total: number;
  /** Returns the state so far. */
  readonly state: () => Comparison;
}

/**
 * Parses stored messages with the old and the new definition, in batches, and compares the results. Keeps the verdict
 * of every message and, unless the query says otherwise, a bounded number of rows.
 */
export async function compareDefinitions(
  context: Context,
  definitions: Definitions,
  query: MessageQuery,
  onProgress?: (progress: ComparisonProgress) => void,
): Promise<Comparison> {
  const verdicts: Verdict[] = [];
  const rows = Object.fromEntries(VERDICTS.map((verdict) => [verdict, [] as ComparedMessage[]])) as Record<
    Verdict,
    ComparedMessage[]
  >;
  const state = (): Comparison => ({
    counts: countVerdicts(verdicts),
    verdicts: [...verdicts],
    rows: VERDICTS.flatMap((verdict) => rows[verdict]),
  });
  const trySome = openTrials(context, definitions.fields);
  let size = PAGE_SIZE;
  for await (const { messages, total } of loadStoredMessages(context, query)) {
    for (let rest = messages; rest.length > 0;) {
      context.signal.throwIfAborted();
      const compared = await compareSome(trySome, definitions, rest.slice(0, size));
      rest = rest.slice(compared.length);
      // If one definition is slow, the results of the other for the remaining messages were in vain.
      size = 2 * compared.length;
      for (const row of compared) {
        const { verdict } = row.difference;
        verdicts.push(verdict);
        const max = query.keepsAll === true && verdict !== 'same' ? Infinity : MAX_ROWS[verdict];
        if (rows[verdict].length < max) rows[verdict].push(row);
      }
      onProgress?.({ done: verdicts.length, total, state });
    }
  }
  return state();
}

/** The number of results to keep for the next run. */
const MAX_KNOWN = 100;

/** Compares the results of the first messages: of at least one. */
async function compareSome(
  trySome: TrySome,
  { before, after, savedTrials }: Definitions,
  messages: readonly StoredMessage[],
): Promise<readonly ComparedMessage[]> {
  const firstUnknown = messages.findIndex(({ id }) => !savedTrials?.has(id));
  const areKnown = firstUnknown !== 0;
  const part = firstUnknown > 0 ? messages.slice(0, firstUnknown) : messages;
  const hexes = part.map(({ hex }) => hex);
  const parseBefore = async (): Promise<readonly (Trial | undefined)[]> => {
    if (before === undefined) return part.map(() => undefined);
    return areKnown ? part.map(({ id }) => savedTrials?.get(id)) : trySome(before, hexes);
  };
  const [oldTrials, newTrials] = await Promise.all([
    parseBefore(),
    isSameSource(before, after) ? undefined : trySome(after, hexes),
  ]);
  const count = Math.min(oldTrials.length, newTrials?.length ?? Infinity);
  return part.slice(0, count).map((stored, index) => {
    const oldTrial = oldTrials[index];
    if (oldTrial && savedTrials && savedTrials.size < MAX_KNOWN) savedTrials.set(stored.id, oldTrial);
    return { ...stored, difference: differenceOf(oldTrial, newTrials?.[index] ?? oldTrial ?? { error: '' }) };
  });
}
