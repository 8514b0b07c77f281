import { LETTERS } from '#commands/kit/letters.ts';
import type { Ability } from '#commands/model/ability.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { type AnyEntity, type Entity, entityLabels } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import * as devices from '#commands/nouns/fleet/device/item.ts';
import { processPoint } from '#commands/nouns/fleet/process-point/entity.ts';
import * as points from '#commands/nouns/fleet/process-point/item.ts';
import { message } from '#commands/text/message.ts';

import type { Content } from './item.ts';
import {
  columnsParam,
  type ExportArgs,
  formatOf,
  MAX_EXPORTED_ITEMS,
  nameOf,
  requestExport,
  requestParams,
  type Source,
  withdrawal,
  writeSample,
} from './request.ts';

interface RequestSpec<Item> {
  readonly verb: string;
  readonly content: Content;
  readonly entity: Entity<Item>;
  /** The name of the param for the items. */
  readonly target: string;
  readonly organizationOf: (item: Item) => string;
  readonly requires: Ability;
  /** The screens where the key belongs to the other command. */
  readonly notOn?: readonly string[];
  readonly on?: () => AnyEntity;
}

/** Declares a command that requests an export of items' data. Its plan shows the first rows. */
function requestCommand<Item>(spec: RequestSpec<Item>): Command {
  const { entity, target, content } = spec;
  const anyEntity = entity as unknown as AnyEntity;
  const itemsOf = (args: object) => (args as Readonly<Record<string, SelectedItems<Item>>>)[target]!.items;
  const sourceOf = (args: object): Source => {
    const items = itemsOf(args);
    const [organization = '', ...others] = new Set(items.map(spec.organizationOf));
    if (others.length > 0) throw new CommandError(message('export:validation.organizations'), target);
    if (items.length > MAX_EXPORTED_ITEMS) {
      const values = { count: items.length, max: MAX_EXPORTED_ITEMS };
      throw new CommandError(message('export:validation.tooMany', values), target);
    }
    return { content, organization, ids: items.map(entity.id) };
  };
  const prepare = async (context: Context, args: object) => {
    const source = sourceOf(args);
    const request = args as ExportArgs;
    return {
      source,
      request,
      name: nameOf(context, source, request),
      format: await formatOf(context, source, request),
    };
  };
  return command({
    id: `export.${spec.verb}`,
    ...(spec.on ? { on: spec.on } : {}),
    ...(spec.notOn ? { notOn: spec.notOn } : {}),
    requires: ['EXPORT', spec.requires],
    effect: 'write',
    keys: [LETTERS.export],
    params: { [target]: p.many(() => anyEntity), ...requestParams, columns: columnsParam(content) },
    positional: [target as never],
    plan: async (context, args) => {
      const { source, request, name, format } = await prepare(context, args);
      const items = entityLabels.count(anyEntity, source.ids.length);
      return {
        summary: message(`export:plan.${content}`, { name, items }),
        count: 1,
        changes: [],
        notes: request.email ? [message('export:plan.email')] : [],
        sample: await writeSample(context, source, request, format),
        reversible: true,
      };
    },
    run: async (context, args) => {
      const { source, request, name, format } = await prepare(context, args);
      return requestExport(context, source, { ...request, name, format });
    },
    inverse: (_args, outcome) => withdrawal(outcome),
  });
}

/** Requests an export of the messages of devices. */
export const createExport = requestCommand({
  verb: 'create',
  content: 'messages',
  entity: device,
  target: 'devices',
  organizationOf: devices.organizationIdOf,
  requires: 'VIEW_MESSAGES',
  notOn: ['process-point'],
});

/** Requests an export of the values of process points. */
export const createValueExport = requestCommand({
  verb: 'create-values',
  content: 'values',
  entity: processPoint,
  target: 'points',
  organizationOf: points.organizationIdOf,
  requires: 'VIEW_POINT_VALUES',
  on: () => processPoint as unknown as AnyEntity,
});
