import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { Modem_Lifecycle, ModemService } from '#proto/gen/hiber/modem_pb.ts';

import { checkLifecycle, LIFECYCLES, lifecycleText } from './lifecycle.ts';

type LifecycleName = keyof typeof Modem_Lifecycle;

/**
 * Returns the default lifecycle of a new device. The spec requires acceptance testing, but customers can't see that
 * lifecycle, so their devices get the closest one that they can see (docs/contract-choices.md). The lifecycle is always
 * sent, because the contract defines no default.
 */
function defaultLifecycle({ actor }: Context): LifecycleName & (typeof LIFECYCLES)[number] {
  return actor.abilities.has('DEVICE_LIFECYCLE') ? 'ACCEPTANCE_TESTING' : 'READY_TO_INSTALL';
}

/** Rejects a repeated identifier because an identifier belongs to a single device. */
function identifierProblems(identifiers: readonly string[]): { identifiers?: Message } {
  const duplicate = identifiers.find((identifier, index) => identifiers.indexOf(identifier) < index);
  return duplicate === undefined
    ? {}
    : { identifiers: message('device:validation.repeatedIdentifier', { identifier: duplicate }) };
}

/**
 * Creates devices for testing or for test messages. This requires a feature of the organization (contract:
 * ModemService).
 */
export const createDevices = command({
  id: 'device.create',
  requires: 'CREATE_DEVICE',
  features: ['MODEM_CREATION'],
  effect: 'write',
  keys: ['c d'],
  params: {
    names: p.words({ maxLength: MAX_LENGTH.deviceName }),
    amount: p.number({ integer: true, min: 1, max: 1000 }),
    model: p.text(),
    lifecycle: p.choice(LIFECYCLES, { label: lifecycleText, check: checkLifecycle }),
    identifiers: p.words(),
    notes: p.text({ multiline: true, maxLength: MAX_LENGTH.notes }),
    tags: p.refs(() => tag),
  },
  positional: ['names'],
  initial: async (context) => ({ values: { lifecycle: defaultLifecycle(context) } }),
  problems: (_context, { names = [], identifiers = [], amount = Math.max(names.length, 1) }) => ({
    ...identifierProblems(identifiers),
    ...(names.length > amount ? { names: message('device:validation.moreThanAmount', { amount }) } : {}),
    ...(identifiers.length > amount ? { identifiers: message('device:validation.moreThanAmount', { amount }) } : {}),
  }),
  plan: async (context, { names = [], amount = Math.max(names.length, 1), lifecycle = defaultLifecycle(context) }) => ({
    summary: message('device:plan.create', { items: message('device:count', { count: amount }) }),
    count: amount,
    changes: [],
    notes: [
      message('device:plan.createLifecycle', { lifecycle: lifecycleText(lifecycle) }),
      message('device:plan.createNote'),
    ],
    reversible: false,
  }),
  run: async (
    context,
    {
      names = [],
      amount = Math.max(names.length, 1),
      model,
      lifecycle = defaultLifecycle(context),
      identifiers = [],
      notes,
      tags = [],
    },
  ) => {
    const { modems } = await context.api(ModemService).create(
      {
        organization: context.organization.id,
        amount,
        names: [...names],
        externalDeviceIdentifiers: [...identifiers],
        lifecycle: Modem_Lifecycle[lifecycle as LifecycleName],
        ...(model ? { deviceType: model } : {}),
        ...(notes ? { notes } : {}),
        tags: { tagIdsToAdd: tags.map((tag) => tag.tag.id) },
        includeModemsInResponse: true,
      },
      { signal: context.signal },
    );
    return {
      changed: ['device', 'tag'],
      results: modems.map(({ modemNumber, modem }) => ({ id: modemNumber, label: modem?.name || modemNumber })),
      message: message('device:done.created', { count: modems.length }),
      data: { numbers: modems.map(({ modemNumber }) => modemNumber) },
    };
  },
});
