import { command } from '../core/command.ts';
import { need } from '../core/context.ts';
import { message } from '../core/message.ts';
import { p, required } from '../core/params.ts';
import type { Noun } from '../core/registry.ts';
import { listCommand, openCommand } from '../core/standard.ts';
import { organization } from './entity.ts';

/** Acts for another organization: from then on every request names it, and every plan shows it. */
const actAs = command({
  id: 'organization.act-as',
  effect: 'navigate',
  keys: ['o'],
  needs: ['session'],
  params: { organization: required(p.ref(() => organization)), reason: p.text() },
  positional: ['organization'],
  run: async (context, { organization: item, reason }) => {
    await need(context, 'session').actAs(organization.id(item), reason);
    return { said: message('organization:said.actingAs', { name: organization.label(item) }) };
  },
});

const returnHome = command({
  id: 'organization.return',
  effect: 'navigate',
  keys: ['Shift+O'],
  needs: ['session'],
  blocked: ({ organization: { impersonating } }) => (impersonating ? undefined : message('organization:notActing')),
  run: async (context) => {
    await need(context, 'session').returnHome();
    return { said: message('organization:said.returned') };
  },
});

/** The organization one acts for, with its contact, address and features. */
const show = command({
  id: 'organization.show',
  effect: 'navigate',
  blocked: ({ organization: { id } }) => (id ? undefined : message('core:unavailable.organization')),
  run: async (context) => {
    const { id } = context.organization;
    if (context.host.output) {
      const items = await organization.byIds(context, [id]);
      context.host.output.list({ entity: organization.name, items, total: items.length, detail: true });
    } else need(context, 'panel').open(organization.name, id);
    return {};
  },
});

export const organizationNoun: Noun = {
  entity: organization,
  commands: [listCommand(organization), openCommand(organization), actAs, returnHome, show],
};
