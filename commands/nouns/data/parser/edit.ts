import { create } from '@bufbuild/protobuf';

import { orderFields, pickFields } from '#commands/kit/attributes.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import type { Command } from '#commands/model/command.ts';
import type { Plan } from '#commands/model/plan.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { message } from '#commands/text/message.ts';
import {
  ModemMessageBodyParserService,
  UpdateUploadedModemMessageBodyParserRequest_MetadataFieldsSchema as UpdateMetadataSchema,
  UpdateUploadedModemMessageBodyParserRequestSchema as UpdateSchema,
} from '#proto/gen/hiber/parser_pb.ts';

import { parserAttributes } from './attributes.ts';
import { rejectInherited } from './availability.ts';
import { checkDefinition } from './check.ts';
import { definitionNotes } from './definition-notes.ts';
import { parser } from './entity.ts';
import { definitionOf, idOf, isSimple, type ParserItem } from './item.ts';
import { parserParams } from './params.ts';

const { fields } = parserAttributes;

const bulkName = (items: readonly ParserItem[], values: Readonly<Record<string, unknown>>) =>
  items.length > 1 && values['name'] !== undefined ? { name: message('parser:validation.bulkName') } : {};

/** Adds the lines that differ and notes about a new definition to an edit's plan. */
function withDefinitionNotes(command: Command): Command {
  const { plan: makePlan } = command;
  if (!makePlan) return command;
  return {
    ...command,
    plan: async (context, args): Promise<Plan> => {
      const { items } = args['parsers'] as SelectedItems<ParserItem>;
      rejectInherited(context, items);
      const plan = await makePlan(context, args);
      const [item] = items;
      const definition = args['definition'] as string | undefined;
      if (item === undefined || definition === undefined) return plan;
      const { withLines } = await import('./definition-changes.ts');
      const changes = plan.changes.map((change) =>
        change.field.key === 'parser:fields.definition'
          ? withLines(change, definitionOf(item) ?? '', definition)
          : change,
      );
      return { ...plan, changes, notes: [...(await definitionNotes(item, definition)), ...(plan.notes ?? [])] };
    },
  };
}

export const editParser = withDefinitionNotes(
  editCommand({
    entity: parser,
    verb: 'edit',
    target: 'parsers',
    requires: 'MANAGE_PARSERS',
    keys: [LETTERS.edit],
    prompts: false,
    fields: orderFields(fields, 'name', 'definition', ...Object.keys(parserParams)),
    changed: ['parser', 'field'],
    problems: (items, values) => ({
      ...bulkName(items, values),
      ...(values['definition'] !== undefined && items.length > 1
        ? { definition: message('parser:validation.bulkDefinition') }
        : {}),
      ...(values['definition'] !== undefined && items.some(isSimple)
        ? { definition: message('parser:validation.simpleDefinition') }
        : {}),
      ...(values['measuredAt'] && values['measuredOffset']
        ? { measuredOffset: message('parser:validation.twoTimes') }
        : {}),
    }),
    check: async (context, { definition }) => {
      if (typeof definition === 'string') await checkDefinition(context, definition, 'definition');
    },
    size: 1,
    call: async ({ api, organization, signal }, [item], { newValues }) => {
      const metadataFields = create(UpdateMetadataSchema);
      const update = { ...create(UpdateSchema, { organization, identifier: idOf(item!) }), metadataFields };
      for (const [name, value] of Object.entries(newValues)) fields[name]!.write(update, value, item!);
      const hasMetadata = Object.keys(newValues).some((name) => name in parserParams);
      const { metadataFields: written, ...others } = update;
      await api(ModemMessageBodyParserService).updateUploaded(
        hasMetadata ? { ...others, metadataFields: written } : others,
        {
          signal,
        },
      );
    },
  }),
);

export const renameParser = editCommand({
  entity: parser,
  verb: 'rename',
  target: 'parsers',
  requires: 'MANAGE_PARSERS',
  fields: pickFields(fields, 'name'),
  changed: ['parser', 'field'],
  problems: bulkName,
  size: 1,
  call: async ({ api, organization, signal }, [item], { newValues }) => {
    const request = { organization, identifier: idOf(item!), name: (newValues['name'] as string).trim() };
    await api(ModemMessageBodyParserService).rename(request, { signal });
  },
});
