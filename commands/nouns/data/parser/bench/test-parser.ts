import type { Column } from '#commands/model/column.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';

import { parser } from '../entity.ts';
import { idOf } from '../item.ts';
import { declaredLabels, findUnitPreferences } from './labels.ts';
import { resultNodes, type ResultNode } from './result.ts';
import { hexProblem, readHex } from './trial.ts';

const columns: readonly Column<ResultNode>[] = [
  { id: 'name', kind: 'mono', width: 160, value: ({ name, depth }) => `${'│ '.repeat(depth)}${name}` },
  { id: 'value', kind: 'number', width: 120, value: ({ text }) => text },
  { id: 'unit', kind: 'text', width: 60, value: ({ unit }) => unit },
  { id: 'declared', kind: 'text', width: 90, value: ({ declared }) => declared && `(${declared})` },
  { id: 'field', kind: 'text', width: 160, value: ({ field }) => field?.displayName || undefined },
];

/** Applies a parser to bytes or to a stored message, and prints the result as a tree, in the CLI only. */
export const testParser = command({
  id: 'parser.test',
  requires: 'MANAGE_PARSERS',
  effect: 'read',
  needs: ['output'],
  params: {
    parser: required(p.ref(() => parser)),
    bytes: p.text({ placeholder: '100D7C00003FCAAC', check: hexProblem }),
    message: p.text({ check: (value) => (/^\d{1,19}$/.test(value) ? undefined : message('core:validation.numeric')) }),
  },
  positional: ['parser', 'bytes'],
  problems: (_, { bytes, message: id }): Partial<Record<'bytes' | 'message', ReturnType<typeof message>>> => {
    if (bytes !== undefined && id !== undefined) return { message: message('parser:bench.bytesOrMessage') };
    return bytes === undefined && id === undefined ? { bytes: message('parser:bench.bytesOrMessage') } : {};
  },
  run: async (context, { parser: item, bytes, message: id }) => {
    const { api, organization, signal } = context;
    const [{ result }, preferences] = await Promise.all([
      api(ModemMessageBodyParserService).test(
        {
          organization: organization.id,
          parser: { case: 'identifier', value: idOf(item) },
          data:
            id === undefined
              ? { case: 'parseBytes', value: { hex: readHex(bytes ?? '') ?? '' } }
              : { case: 'modemMessageId', value: BigInt(id) },
        },
        { signal },
      ),
      findUnitPreferences(context),
    ]);
    if (result.case !== 'parsed')
      throw new CommandError(message('parser:bench.refused', { error: result.value ?? '' }));
    const rows = resultNodes(result.value, declaredLabels(item.parser.dataFields, preferences));
    requireCapability(context, 'output').rows({
      columns: rows.some(({ declared }) => declared !== undefined)
        ? columns
        : columns.filter(({ id: column }) => column !== 'declared'),
      rows,
      json: result.value,
    });
    return {};
  },
});
