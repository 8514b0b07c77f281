import { Modem_Lifecycle, ModemService } from '#proto/hiber/modem_pb';
import { command } from '../core/command.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { tag } from '../tag/entity.ts';
import { LIFECYCLES, lifecycleText } from './lifecycle.ts';

type LifecycleName = keyof typeof Modem_Lifecycle;

/** Devices for testing, or fed by test messages; the organization must have the feature for it (contract: ModemService). */
export const createDevices = command({
  id: 'device.create',
  requires: 'CREATE_DEVICE',
  features: ['MODEM_CREATION'],
  effect: 'write',
  keys: ['c d'],
  params: {
    names: p.words(),
    amount: p.number({ integer: true, min: 1, max: 1000 }),
    model: p.text(),
    // Unset would be acceptance testing, which customers cannot see (contract: ModemService).
    lifecycle: p.choice(LIFECYCLES, { label: lifecycleText, fallback: 'READY_TO_INSTALL' }),
    identifiers: p.words(),
    notes: p.text({ multiline: true }),
    tags: p.refs(() => tag),
  },
  positional: ['names'],
  problems: (_context, { names = [], identifiers = [], amount = Math.max(names.length, 1) }) => ({
    ...(names.length > amount ? { names: message('device:validation.moreThanAmount', { amount }) } : {}),
    ...(identifiers.length > amount ? { identifiers: message('device:validation.moreThanAmount', { amount }) } : {}),
  }),
  plan: async (_context, { names = [], amount = Math.max(names.length, 1) }) => ({
    summary: message('device:plan.create', { items: message('device:count', { count: amount }) }),
    count: amount,
    changes: [],
    notes: [message('device:plan.createNote')],
    reversible: false,
  }),
  run: async (
    context,
    { names = [], amount = Math.max(names.length, 1), model, lifecycle, identifiers = [], notes, tags = [] },
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
        tags: { tagIdsToAdd: tags.map((each) => each.tag.id) },
        includeModemsInResponse: true,
      },
      { signal: context.signal },
    );
    return {
      changed: ['device', 'tag'],
      results: modems.map(({ modemNumber, modem }) => ({ id: modemNumber, label: modem?.name || modemNumber })),
      said: message('device:said.created', { count: modems.length }),
      data: { numbers: modems.map(({ modemNumber }) => modemNumber) },
    };
  },
});
