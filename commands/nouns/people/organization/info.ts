import { toJson } from '@bufbuild/protobuf';

import { OrganizationSchema } from '#proto/gen/hiber/organization_pb.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { page } from '#commands/model/page.ts';
import { organization, organizationFacts, type OrganizationItem } from './entity.ts';

const facts = (ids: readonly string[]) => organizationFacts.filter(({ id }) => ids.includes(id));

/** Spec 2: /settings/organization-info. */
export const organizationInfo = page<OrganizationItem>({
  noun: 'organization',
  name: 'info',
  screen: {
    path: '/settings/organization-info',
    rail: { icon: 'info', group: 'organization' },
    key: 'g Shift+O',
    tabs: 'settings',
  },
  changedBy: ['organization'],
  load: async (context) => {
    const [item] = await organization.byIds(context, [context.organization.id]);
    if (!item) throw new CommandError(message('core:unavailable.organization'));
    return item;
  },
  json: ({ details }) => details && toJson(OrganizationSchema, details),
  subject: (item) => ({ entity: organization.name, id: organization.id(item), name: organization.label(item) }),
  sections: [
    {
      id: 'organization',
      facts: facts(['name', 'id', 'features', 'expectedRate', 'created']),
      offers: [
        {
          command: 'organization.edit',
          as: 'button',
          args: (item) => ({ organizations: { ids: [organization.id(item)] } }),
        },
      ],
    },
    { id: 'contact', hint: true, facts: facts(['contact', 'email', 'phone', 'address']) },
    { id: 'billing', hint: true, facts: facts(['vat', 'billingName', 'billingAddress']) },
    {
      id: 'below',
      hint: true,
      offers: [
        { command: 'organization.list', as: 'button' },
        { command: 'organization.create', as: 'button' },
        { command: 'organization.create-with-token', as: 'button' },
      ],
    },
  ],
});
