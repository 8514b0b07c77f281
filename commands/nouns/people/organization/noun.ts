import { listCommand, openCommand } from '#commands/kit/standard.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { Noun } from '#commands/registry/registry.ts';
import { message } from '#commands/text/message.ts';

import { createOrganization, createWithToken } from './create.ts';
import { deleteOrganization } from './delete.ts';
import { editOrganization } from './edit.ts';
import { entity, organization } from './entity.ts';
import { organizationInfo } from './info.ts';
import { actAs, returnHome } from './switch.ts';

/** Shows the current organization, with its contact, address, and features. */
const show = command({
  id: 'organization.show',
  effect: 'navigate',
  blockedReason: ({ organization: { id } }) => (id ? undefined : message('core:unavailable.organization')),
  run: async (context) => {
    const { id } = context.organization;
    if (context.host.output) {
      const items = await organization.byIds(context, [id]);
      context.host.output.list({ entity: organization.name, items, total: items.length, detail: true });
    } else requireCapability(context, 'panel').open(organization.name, id);
    return {};
  },
});

export const noun: Noun = {
  entity,
  pages: [organizationInfo],
  commands: [
    listCommand(organization),
    openCommand(organization),
    actAs,
    returnHome,
    show,
    createOrganization,
    createWithToken,
    editOrganization,
    deleteOrganization,
  ],
};
