import { toJson } from '@bufbuild/protobuf';

import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import type { Target } from '#commands/model/target.ts';
import type { RegistrySummary } from '#commands/registry/summary.ts';
import { lookUp, selectionTarget } from '#commands/run/lookup.ts';
import { message } from '#commands/text/message.ts';

/**
 * `link` copies the URL of this view, `line` the command line that lists its items, and `command` the last command.
 * `id` and `json` copy the selected items.
 */
const FORMATS = ['link', 'line', 'command', 'id', 'json'] as const;

export function copyCommand(registry: RegistrySummary): Command {
  const focusedEntity = ({ focus }: Context): AnyEntity => {
    const entity = focus && registry.entity(focus.entity);
    if (!entity) throw new CommandError(message('view:noTable'));
    return entity;
  };

  const formatters: Readonly<Record<(typeof FORMATS)[number], (context: Context) => Promise<string> | string>> = {
    link: (context) => requireCapability(context, 'link').current(),
    line: (context) => {
      const entity = focusedEntity(context);
      const { target, active } = context.focus ?? {};
      // The panel shows an item of a different entity than the table.
      if (context.host.table?.entityName() !== entity.name && active !== undefined)
        return requireCapability(context, 'line').print({ id: `${entity.name}.open`, args: { [entity.name]: active } });
      const filter = context.host.table?.filterText() ?? '';
      const query = target && 'ids' in target ? filterFor(entity, target, filter) : filter;
      return requireCapability(context, 'line').print({
        id: `${entity.name}.list`,
        args: query ? { filter: query } : {},
      });
    },
    command: (context) => {
      const lastInvocation = requireCapability(context, 'history').last();
      if (!lastInvocation) throw new CommandError(message('view:nothingDone'));
      return requireCapability(context, 'line').print(lastInvocation);
    },
    id: async (context) => (await selected(context)).ids.join('\n'),
    json: async (context) => {
      const entity = focusedEntity(context);
      const { ids, items, query } = await selected(context);
      // The items that a query finds may come without their newest values.
      const wholeItems = query === undefined ? items : await entity.byIds(context, ids);
      const values = wholeItems.map((item) => entity.json(item, toJson));
      return JSON.stringify(values.length === 1 ? values[0] : values, null, 2);
    },
  };

  function selected(context: Context) {
    const entity = focusedEntity(context);
    return lookUp(entity, selectionTarget(entity, context), context);
  }

  return command({
    id: 'view.copy',
    effect: 'read',
    needs: ['clipboard', 'link', 'line', 'history'],
    keys: ['y'],
    onTarget: true,
    params: { as: required(p.choice(FORMATS, { label: (format) => message(`view:copy.${format}`) })) },
    positional: ['as'],
    run: async (context, { as }) => {
      const text = Promise.resolve(formatters[as](context));
      const isCopied = await requireCapability(context, 'clipboard').write(text);
      const confirmation = isCopied
        ? { message: message('view:done.copied', { what: message(`view:copy.${as}`) }) }
        : {};
      return { ...confirmation, data: await text };
    },
  });
}

/**
 * Returns a filter that lists exactly these items, if the contract can select by id, or else the current filter.
 */
function filterFor(entity: AnyEntity, target: Extract<Target, { ids: unknown }>, currentFilter: string): string {
  if (entity.idKey === undefined || target.ids.length === 0) return currentFilter;
  const values = target.ids.map((id) => (/[\s,"]/.test(id) ? `"${id}"` : id));
  return `${entity.idKey}:${values.join(',')}`;
}
