import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { editCommand } from '#commands/kit/edit-command.ts';
import { message } from '#commands/text/message.ts';
import { organizationAttributes, type Update } from './attributes.ts';
import { organization } from './entity.ts';
import { withDetails } from './list.ts';

/** All fields; one's own organization or one below it. */
export const editOrganization = editCommand({
  of: organization,
  verb: 'edit',
  target: 'organizations',
  requires: 'UPDATE_LOGO',
  keys: ['e'],
  asks: false,
  fields: organizationAttributes.fields,
  changed: ['organization', 'me'],
  problems: (items, wanted) =>
    items.length > 1 && wanted['name'] !== undefined ? { name: message('organization:validation.bulkName') } : {},
  // The contract updates one at a time.
  size: 1,
  call: async (context, [found], { wanted, args }) => {
    const item = found!.details ? found! : await withDetails(context, found!);
    const update: Update = { organization: organization.id(item) };
    for (const [name, value] of Object.entries(wanted)) {
      organizationAttributes.fields[name]?.write(update, value, item, args[name]);
    }
    await context.api(OrganizationService).update(update, { signal: context.signal });
  },
});
