import { toJson } from '@bufbuild/protobuf';

import type { DetailGroup } from '#commands/model/detail-groups.ts';
import { CommandError } from '#commands/model/errors.ts';
import { page } from '#commands/model/page.ts';
import { SETTINGS } from '#commands/nouns/tab-groups.ts';
import { message } from '#commands/text/message.ts';
import { OrganizationSchema } from '#proto/gen/hiber/organization_pb.ts';

import { organizationAttributes } from './attributes.ts';
import { organization } from './entity.ts';
import type { OrganizationItem } from './item.ts';

const details = (...groups: readonly DetailGroup[]) =>
  organizationAttributes.details.filter(({ group }) => group && groups.includes(group));

/** The details of the current organization, with a button to edit them (spec 2). */
export const organizationInfo = page<OrganizationItem>({
  noun: 'organization',
  name: 'info',
  screen: {
    path: '/settings/organization-info',
    rail: { icon: 'info', group: 'organization' },
    key: 'g Shift+O',
    tabs: SETTINGS,
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
      details: details('identity', 'about'),
      actions: [
        {
          command: 'organization.edit',
          as: 'button',
          args: (item) => ({ organizations: { ids: [organization.id(item)] } }),
        },
      ],
    },
    { id: 'contact', hint: true, details: details('contact') },
    { id: 'billing', hint: true, details: details('billing') },
    {
      id: 'below',
      hint: true,
      actions: [
        { command: 'organization.list', as: 'button' },
        { command: 'organization.create', as: 'button' },
        { command: 'organization.create-with-token', as: 'button' },
      ],
    },
  ],
});
