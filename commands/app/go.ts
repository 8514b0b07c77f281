import { command } from '../core/command.ts';
import { need } from '../core/context.ts';
import { p, required } from '../core/params.ts';

/** An address of this console, as the address bar has it or without its beginning: `/devices?filter=health%3AERROR`. */
export const go = command({
  id: 'app.go',
  effect: 'navigate',
  needs: ['navigate', 'link'],
  params: { address: required(p.text()) },
  positional: ['address'],
  run: async (context, { address }) => {
    const { pathname, searchParams } = new URL(address.trim(), need(context, 'link').current());
    need(context, 'navigate')({ path: pathname, search: searchOf(searchParams) });
    return {};
  },
});

/** Values that stand in a list (`panel[0]`) as lists. */
function searchOf(params: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of params) {
    const list = /^(.*)\[\d*\]$/.exec(name)?.[1];
    if (list === undefined) search[name] = value;
    else search[list] = [...(search[list] ?? []), value];
  }
  return search;
}
