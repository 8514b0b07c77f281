import type { MessageInitShape } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import { enumLabels } from '#commands/kit/enum-labels.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { fileReference, type FileContent } from '#commands/model/files.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { listMessage, message } from '#commands/text/message.ts';
import { Organization_Feature, type UpdateOrganizationRequestSchema } from '#proto/gen/hiber/organization_pb.ts';

import { addressText, buildAddress, parsePart, addressPart, type AddressPart } from './address.ts';
import { nameOf, type OrganizationItem, type OrganizationSelection } from './item.ts';
import { toAvatar } from './logo.ts';
import { emptyTextProblem, organizationParams } from './params.ts';

export type Update = MessageInitShape<typeof UpdateOrganizationRequestSchema>;

interface OrganizationField extends EditableField<OrganizationItem> {
  /**
   * Adds a value to the update request for an organization. `item` includes the organization's current details, and
   * `resolved` is the resolved argument.
   */
  write(update: Update, value: ArgValue, item: OrganizationItem, resolved: unknown): void;
}

const EDIT = 'organization.edit';

const { text: featureText } = enumLabels(Organization_Feature, 'organization:feature');

function textField(
  key: 'displayName' | 'vatNumber' | 'billingName',
  param: (typeof organizationParams)['name'],
): OrganizationField {
  return {
    param: { ...param, check: emptyTextProblem },
    current: ({ details }) => details?.[key],
    write: (update, value) => void (update[key] = (value as string).trim()),
  };
}

function contactField(key: 'name' | 'email' | 'phone', param: OrganizationField['param']): OrganizationField {
  return {
    param,
    current: ({ details }) => details && (details.contact?.[key] ?? ''),
    write: (update, value, { details }) => {
      const { name = '', email = '', phone = '' } = details?.contact ?? {};
      update.contact = { ...(update.contact ?? { name, email, phone }), [key]: (value as string).trim() };
    },
  };
}

function addressField(address: 'address' | 'billingAddress', name: AddressPart): { readonly field: OrganizationField } {
  return {
    field: {
      param: organizationParams[name],
      current: ({ details }) => details && addressPart(details[address], name),
      write: (update, value, { details }) => {
        update[address] = {
          ...(update[address] ?? buildAddress({}, details?.[address])),
          ...parsePart(name, value as string),
        };
      },
    },
  };
}

/** Undo cannot restore the previous logo, because it cannot be read as a file. */
const logo: OrganizationField = {
  param: { ...organizationParams.logo, clears: true },
  current: () => undefined,
  fromArgument: (resolved) => logoValue(resolved as FileContent | '' | undefined),
  text: (value) => fileReference(value as string),
  write: (update, _value, _item, resolved) => void (update.avatar = toAvatar(resolved as FileContent | '')),
};

function logoValue(resolved: FileContent | '' | undefined): string | undefined {
  return resolved === undefined || resolved === '' ? resolved : `@${resolved.name}`;
}

export const organizationAttributes = attributes<OrganizationItem, OrganizationSelection, OrganizationField>({
  name: {
    kind: 'text',
    value: nameOf,
    column: { width: 240, grow: 2 },
    detail: 'identity',
    edit: EDIT,
    field: textField('displayName', organizationParams.name),
  },
  id: {
    kind: 'mono',
    value: ({ accessible }) => accessible.organization,
    column: { width: 180, grow: 1 },
    detail: 'about',
  },
  membership: {
    kind: 'status',
    value: ({ accessible }) => {
      if (accessible.defaultOrganization) return message('organization:membership.default');
      return message(accessible.member ? 'organization:membership.member' : 'organization:membership.reachable');
    },
    column: { width: 120 },
  },
  features: {
    kind: 'text',
    value: ({ details }) => listMessage((details?.features ?? []).map(featureText)),
    detail: 'about',
  },
  expectedRate: {
    kind: 'number',
    value: ({ details }) => details?.defaults?.expectedDeviceTransmissionRate?.value.toString(),
    detail: 'about',
  },
  contact: {
    kind: 'text',
    value: ({ accessible }) => accessible.contact?.name || undefined,
    column: { width: 200, grow: 1 },
    detail: 'contact',
    edit: EDIT,
    param: 'contactName',
    field: contactField('name', organizationParams.contactName),
  },
  email: {
    kind: 'text',
    value: ({ accessible }) => accessible.contact?.email || undefined,
    detail: 'contact',
    edit: EDIT,
    param: 'contactEmail',
    field: contactField('email', organizationParams.contactEmail),
  },
  phone: {
    kind: 'text',
    value: ({ accessible }) => accessible.contact?.phone || undefined,
    detail: 'contact',
    edit: EDIT,
    param: 'contactPhone',
    field: contactField('phone', organizationParams.contactPhone),
  },
  address: {
    kind: 'text',
    value: ({ details }) => addressText(details?.address),
    detail: { group: 'contact', fields: ['street', 'zipCode', 'city', 'state', 'country'] },
    edit: EDIT,
  },
  street: addressField('address', 'street'),
  zipCode: addressField('address', 'zipCode'),
  city: addressField('address', 'city'),
  state: addressField('address', 'state'),
  country: addressField('address', 'country'),
  vatNumber: {
    kind: 'mono',
    value: ({ details }) => details?.vatNumber || undefined,
    detail: 'billing',
    edit: EDIT,
    field: textField('vatNumber', organizationParams.vatNumber),
  },
  billingName: {
    kind: 'text',
    value: ({ details }) => details?.billingName || undefined,
    detail: 'billing',
    edit: EDIT,
    field: textField('billingName', organizationParams.billingName),
  },
  billingAddress: {
    kind: 'text',
    value: ({ details }) => addressText(details?.billingAddress),
    detail: {
      group: 'billing',
      fields: ['billingStreet', 'billingZipCode', 'billingCity', 'billingState', 'billingCountry'],
    },
    edit: EDIT,
  },
  billingStreet: addressField('billingAddress', 'street'),
  billingZipCode: addressField('billingAddress', 'zipCode'),
  billingCity: addressField('billingAddress', 'city'),
  billingState: addressField('billingAddress', 'state'),
  billingCountry: addressField('billingAddress', 'country'),
  logo: { field: logo },
  created: {
    kind: 'time',
    value: ({ details }) => textOf(details?.createdAt),
    time: ({ details }) => toMs(details?.createdAt),
    detail: 'about',
  },
});
