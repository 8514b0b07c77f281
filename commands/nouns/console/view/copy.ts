import { command, type Command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { lookUp, selectionTarget } from '#commands/run/lookup.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import type { Target } from '#commands/model/target.ts';

/**
 * link: the address of this view. line: what lists this. command: what was done last. id and json: of what is
 * selected.
 */
const FORMS = ['link', 'line', 'command', 'id', 'json'] as const;

export function copyCommand(entities: readonly AnyEntity[]): Command {
  const focused = ({ focus }: Context): AnyEntity => {
    const found = entities.find((entity) => entity.name === focus?.entity);
    if (!found) throw new CommandError(message('view:noTable'));
    return found;
  };

  const texts: Readonly<Record<(typeof FORMS)[number], (context: Context) => Promise<string> | string>> = {
    link: (context) => need(context, 'link').current(),
    line: (context) => {
      const of = focused(context);
      const { target, active } = context.focus ?? {};
      // What the panel shows is not in the table.
      if (context.host.table?.entity() !== of.name && active !== undefined)
        return need(context, 'line').print({ id: `${of.name}.open`, args: { [of.name]: active } });
      const filter = context.host.table?.filter() ?? '';
      const named = target && 'ids' in target ? listOf(of, target, filter) : filter;
      return need(context, 'line').print({ id: `${of.name}.list`, args: named ? { filter: named } : {} });
    },
    command: (context) => {
      const last = need(context, 'history').last();
      if (!last) throw new CommandError(message('view:nothingDone'));
      return need(context, 'line').print(last);
    },
    id: async (context) => (await items(context)).map(({ id }) => id).join('\n'),
    json: async (context) => {
      const of = focused(context);
      const all = (await items(context)).map(({ item }) => of.json(item));
      return JSON.stringify(all.length === 1 ? all[0] : all, null, 2);
    },
  };

  async function items(context: Context) {
    const of = focused(context);
    const found = await lookUp(of, selectionTarget(of, context), context);
    return found.items.map((item) => ({ id: of.id(item), item }));
  }

  return command({
    id: 'view.copy',
    effect: 'read',
    needs: ['clipboard', 'link', 'line', 'history'],
    keys: ['y'],
    onTarget: true,
    params: { as: required(p.choice(FORMS, { label: (form) => message(`view:copy.${form}`) })) },
    positional: ['as'],
    run: async (context, { as }) => {
      const text = Promise.resolve(texts[as](context));
      const copied = await need(context, 'clipboard').write(text);
      const sentence = copied ? { message: message('view:done.copied', { what: message(`view:copy.${as}`) }) } : {};
      return { ...sentence, data: await text };
    },
  });
}

/** The filter that lists exactly these, where the contract can select by id; else the filter that is shown. */
function listOf(entity: AnyEntity, target: Extract<Target, { ids: unknown }>, shown: string): string {
  if (entity.idKey === undefined || target.ids.length === 0) return shown;
  const values = target.ids.map((id) => (/[\s,"]/.test(id) ? `"${id}"` : id));
  return `${entity.idKey}:${values.join(',')}`;
}
