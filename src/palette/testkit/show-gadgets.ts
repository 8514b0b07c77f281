import type { Focus } from '#commands/model/context.ts';
import { selectedName } from '#commands/run/focus.ts';
import { message } from '#commands/text/message.ts';
import { i18n } from '#src/i18n/i18n.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { runLog } from './registry.ts';

const TEXTS = {
  one: 'gadget',
  count_one: '{{count}} gadget',
  count_other: '{{count}} gadgets',
  state: 'State',
  plan: 'Mark {{count}} gadgets {{state}}',
  scrap: 'Scrap {{count}} gadgets',
  describe: 'Describe {{count}} gadgets',
  noPlaid: 'There is no plaid paint',
  noPaint: 'There is no paint',
  filter: { state: 'Its health', tag: 'A tag it has' },
  commands: {
    mark: { title: 'Mark gadgets', params: { gadgets: 'Gadgets', state: 'State', note: 'Note' } },
    inspect: { title: 'Inspect gadgets', params: { during: 'Period' } },
    scrap: { title: 'Scrap gadgets', params: { gadgets: 'Gadgets' } },
    describe: {
      title_one: 'Describe gadget',
      title_other: 'Describe gadgets',
      params: { gadgets: 'Gadgets', name: 'Name', color: 'Color' },
    },
    build: {
      title: 'Build gadget',
      about: 'Make a gadget.',
      params: { name: 'Name', events: 'Events', parent: 'Parent' },
    },
    label: { title: 'Label gadgets', about: 'Label them.', params: { gadgets: 'Gadgets', labels: 'Labels' } },
    invite: { title: 'Invite', about: 'Invite.', params: { roles: 'Roles', withoutRoles: 'Without roles' } },
    paint: { title: 'Paint gadgets' },
    beep: { title: 'Beep', about: 'Make a noise.' },
    open: { title: 'Open gadget', params: { gadget: 'Gadget' } },
  },
};

/** Signs a user in and shows gadgets, with an optional selection. */
export function showGadgets(focus: Partial<Focus> = {}, awayFromHome = false): void {
  runLog.length = 0;
  window.localStorage.clear();
  i18n.addResourceBundle('en', 'gadget', TEXTS);
  i18n.addResourceBundle('en', 'screen', { gadget: { title: 'Gadgets' } }, true);
  const session = testSession();
  store.set(userSessionAtom, { ...session, organization: { ...session.organization, awayFromHome } });
  const { target, count = 0, active, name = message('core:target.item', { name: active ?? '' }) } = focus;
  store.set(visibleTargetsAtom, {
    table: {
      entity: 'gadget',
      ...(target ? { selection: { target, count, name: selectedName(count) } } : {}),
      ...(active === undefined ? {} : { row: { id: active, name } }),
    },
  });
  store.set(paletteAtom, { open: false });
}
