import type { Column } from '#commands/model/column.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FileContent } from '#commands/model/files.ts';
import { p, required } from '#commands/model/params.ts';
import { toTimeRange } from '#commands/model/time.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message, type Message } from '#commands/text/message.ts';

import { checkDefinition } from '../check.ts';
import { parser } from '../entity.ts';
import { idOf, nameOf, type ParserItem } from '../item.ts';
import { loadDefinition, loadParsers, searchParsers } from '../list.ts';
import { definitionFileParam } from '../params.ts';
import {
  allMessages,
  compareDefinitions,
  DEFAULT_MESSAGES,
  MAX_MESSAGES,
  loadMessages,
  sampleRows,
  type Comparison,
  type ComparedMessage,
} from './comparison.ts';
import { isFailure, type Counts, type ValueChange, type Verdict } from './difference.ts';
import { declaredLabels, findUnitPreferences, shownChange, type DeclaredLabels } from './labels.ts';
import { definitionSource } from './source.ts';

/** Limits for the printed output. The JSON output has every message that differs. */
const MAX_PRINTED_MESSAGES = 50;
const MAX_PRINTED_CHANGES = 12;

/** A line of the output: a message, or one of its changed values. */
interface Line {
  readonly verdict?: Verdict;
  /** When the message was sent, in ms since the epoch. */
  readonly sentMs?: number | undefined;
  readonly cells: readonly [string, string | Message, string | Message];
}

const columns: readonly Column<Line>[] = [
  {
    id: 'verdict',
    kind: 'status',
    width: 90,
    value: ({ verdict }) => verdict && verdictText(verdict),
    level: ({ verdict }) => (verdict === undefined ? 'none' : verdictLevel(verdict)),
  },
  { id: 'subject', kind: 'mono', width: 140, value: ({ cells }) => cells[0] },
  // For a message, this column shows when it was sent.
  { id: 'before', kind: 'time', width: 140, value: ({ cells }) => cells[1], time: ({ sentMs }) => sentMs },
  { id: 'after', kind: 'mono', width: 140, value: ({ cells }) => cells[2] },
];

const verdictText = (verdict: Verdict): Message => message(`parser:bench.verdict.${verdict}`);

function verdictLevel(verdict: Verdict): 'error' | 'ok' | 'none' {
  if (isFailure(verdict)) return 'error';
  return verdict === 'nowWorks' || verdict === 'works' ? 'ok' : 'none';
}

/** Summarizes the counts: "20 messages: 17 same, 2 changed, 1 now failing, 0 now working." */
function summarize(
  { nowFails, changed, nowWorks, same: unchangedCount, fails, works }: Counts,
  isNew: boolean,
): Message {
  if (isNew) return message('parser:bench.newSummary', { count: fails + works, fails, works });
  const count = nowFails + changed + nowWorks + unchangedCount;
  return message('parser:bench.summary', { count, nowFails, changed, nowWorks, same: unchangedCount });
}

/**
 * Parses stored messages with a definition and with the parser's current one, and prints the differences. Fails if a
 * message no longer parses, so a script can check a definition before uploading it.
 */
export const checkParser = command({
  id: 'parser.check',
  requires: ['MANAGE_PARSERS', 'VIEW_MESSAGES'],
  effect: 'read',
  needs: ['output'],
  params: {
    definition: required(definitionFileParam),
    parser: p.ref(() => parser),
    against: p.query(() => device),
    period: p.range(),
    limit: p.number({ integer: true, min: 1, max: MAX_MESSAGES }),
  },
  positional: ['definition'],
  run: async (context, { definition, parser: parserItem, against, period, limit }) => {
    const after = textOf(definition as FileContent);
    // Default to the parser that is named like the file.
    const item = parserItem ?? (await findParser(context, (definition as FileContent).name.replace(/\.[^.]*$/, '')));
    const fields = item?.parser.dataFields ?? [];
    // Every message would fail with the same error.
    await checkDefinition(context, after, 'definition');
    const timeRange = period && toTimeRange(period, context.now(), firstDay(context.preferences));
    const isFiltered = against !== undefined || timeRange !== undefined;
    const comparison = await compareDefinitions(
      context,
      {
        before: item && definitionSource(await loadDefinition(context, context.organization.id, idOf(item))),
        after: definitionSource(after),
        fields,
      },
      {
        selection: isFiltered ? await loadMessages(context, against ?? '', timeRange) : allMessages(),
        parsedBy: isFiltered || item === undefined ? undefined : idOf(item),
        limit: limit ?? (isFiltered ? MAX_MESSAGES : DEFAULT_MESSAGES),
        keepsAll: true,
      },
      ({ done, total }) => context.progress({ done, total }),
    );
    const labels = declaredLabels(fields, await findUnitPreferences(context));
    const { counts } = comparison;
    requireCapability(context, 'output').rows({
      columns,
      rows: toLines(comparison, labels),
      json: toJson(comparison, item),
      note: summarize(counts, item === undefined),
    });
    if (counts.nowFails > 0) throw new CommandError(message('parser:bench.failing', { count: counts.nowFails }));
    if (counts.fails > 0) throw new CommandError(message('parser:bench.unreadable', { count: counts.fails }));
    return {};
  },
});

/** @throws CommandError if the file is not UTF-8 text */
function textOf({ name, bytes }: FileContent): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(message('parser:bench.notText', { name }), 'definition');
  }
}

/** Finds the parser with this name or identifier. Returns undefined if none or several match. */
async function findParser(context: Context, name: string): Promise<ParserItem | undefined> {
  const candidates = await loadAllPages(loadParsers(context, searchParsers(name)));
  const matching = candidates.filter((item) => nameOf(item) === name || idOf(item) === name);
  return matching.length === 1 ? matching[0] : undefined;
}

function toLines({ rows }: Comparison, labels: DeclaredLabels): readonly Line[] {
  const differing = rows.filter(({ difference }) => difference.verdict !== 'same');
  const lines = sampleRows(differing, MAX_PRINTED_MESSAGES).flatMap(
    ({ device: number, sent, sentMs, hex, difference }): readonly Line[] => [
      {
        verdict: difference.verdict,
        sentMs,
        cells: [number, sent, difference.error ?? hex],
      },
      ...difference.changes.slice(0, MAX_PRINTED_CHANGES).map((change) => changeLine(change, labels)),
      ...moreLine('│', 'moreValues', difference.changeCount - MAX_PRINTED_CHANGES),
    ],
  );
  return [...lines, ...moreLine('…', 'moreMessages', differing.length - MAX_PRINTED_MESSAGES)];
}

function changeLine({ path, before, after }: ValueChange, labels: DeclaredLabels): Line {
  const textOfChange = (json: string | undefined): string | Message => {
    if (json === undefined) return message('parser:bench.noValue');
    const { text, declared } = shownChange(json, path, labels);
    return declared === undefined ? text : `${text} (${declared})`;
  };
  return { cells: [`│ ${path}`, textOfChange(before), textOfChange(after)] };
}

/** Says how many values or messages are not printed. */
function moreLine(subject: string, key: 'moreValues' | 'moreMessages', count: number): readonly Line[] {
  return count > 0 ? [{ cells: [subject, message(`parser:bench.${key}`, { count }), ''] }] : [];
}

function toJson({ counts, rows }: Comparison, item: ParserItem | undefined): unknown {
  return {
    ...(item ? { parser: idOf(item) } : {}),
    counts,
    differences: rows
      .filter(({ difference }) => difference.verdict !== 'same')
      .map(({ id, device: number, sent, hex, difference }: ComparedMessage) => ({
        message: id,
        device: number,
        sent,
        hex,
        ...difference,
      })),
  };
}
