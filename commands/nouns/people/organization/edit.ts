import { editCommand } from '#commands/kit/edit-command.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { message } from '#commands/text/message.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';

import { organizationAttributes, type Update } from './attributes.ts';
import { organization } from './entity.ts';
import { loadDetails } from './list.ts';

/** Edits all fields of the current organization or of a sub-organization. */
export const editOrganization = editCommand({
  entity: organization,
  verb: 'edit',
  target: 'organizations',
  requires: 'UPDATE_LOGO',
  keys: [LETTERS.edit],
  prompts: false,
  fields: organizationAttributes.fields,
  changed: ['organization', 'me'],
  problems: (items, values) =>
    items.length > 1 && values['name'] !== undefined ? { name: message('organization:validation.bulkName') } : {},
  // The contract updates one organization per call.
  size: 1,
  call: async (context, [organizationItem], { newValues, args }) => {
    const item = organizationItem!.details ? organizationItem! : await loadDetails(context, organizationItem!);
    const update: Update = { organization: organization.id(item) };
    for (const [name, value] of Object.entries(newValues)) {
      organizationAttributes.fields[name]?.write(update, value, item, args[name]);
    }
    await context.api(OrganizationService).update(update, { signal: context.signal });
  },
});
