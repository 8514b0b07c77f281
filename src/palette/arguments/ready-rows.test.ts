import { expect, test } from 'vitest';

import { command } from '#commands/model/command.ts';
import { p, requiredUnless } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { simplePlan } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { startDraft } from '#src/run/draft.ts';

import { readyGroups } from './ready-rows.ts';

const invite = command({
  id: 'gadget.invite',
  effect: 'write',
  params: {
    roles: requiredUnless('withoutRoles', message('gadget:rolesRequired'), p.words()),
    withoutRoles: p.flag(),
    note: p.text(),
  },
  plan: simplePlan,
  run: async () => ({}),
});

test('does not offer a flag that replaces a param that has a value', () => {
  const context = testContext();
  const translate = () => '';
  const optionsWith = (args: object) =>
    readyGroups(startDraft(invite, { ...args }, context), {
      context,
      translate,
      t: translate,
      preparedRun: undefined,
    })
      .find(({ id }) => id === 'options')
      ?.rows.map(({ param }) => param);
  expect(optionsWith({ roles: ['viewer'] })).toEqual(['note']);
  expect(optionsWith({ withoutRoles: true })).toEqual(['withoutRoles', 'note']);
});
