import type { MessageInitShape } from '@bufbuild/protobuf';

import { Organization_Feature, type UpdateOrganizationRequestSchema } from '#proto/gen/hiber/organization_pb.ts';
import { attributes } from '#commands/kit/attributes.ts';
import type { EditableField } from '#commands/kit/edit-command.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { fileReference, type FileContent } from '#commands/model/files.ts';
import { msOf, textOf } from '#commands/model/wire.ts';
import { listed, message } from '#commands/text/message.ts';
import { addressOf, addressText, partOf, withPart, type AddressPart } from './address.ts';
import { nameOf, type OrganizationItem, type OrganizationSelection } from './item.ts';
import { avatarOf } from './logo.ts';
import { keptProblem, organizationParams } from './params.ts';

export type Update = MessageInitShape<typeof UpdateOrganizationRequestSchema>;

interface OrganizationField extends EditableField<OrganizationItem> {
  /**
   * Puts a value into the update of one organization; `item` has its details, `resolved` is the argument as it was
   * looked up.
   */
  write(update: Update, value: ArgValue, item: OrganizationItem, resolved: unknown): void;
}

const EDIT = 'organization.edit';

const { word: featureText } = enumWords(Organization_Feature, 'organization:feature');

function plain(
  key: 'displayName' | 'vatNumber' | 'billingName',
  param: (typeof organizationParams)['name'],
): OrganizationField {
  return {
    param: { ...param, check: keptProblem },
    now: ({ details }) => details?.[key],
    write: (update, value) => void (update[key] = (value as string).trim()),
  };
}

function contact(key: 'name' | 'email' | 'phone', param: OrganizationField['param']): OrganizationField {
  return {
    param,
    now: ({ details }) => details && (details.contact?.[key] ?? ''),
    write: (update, value, { details }) => {
      const { name = '', email = '', phone = '' } = details?.contact ?? {};
      update.contact = { ...(update.contact ?? { name, email, phone }), [key]: (value as string).trim() };
    },
  };
}

function part(address: 'address' | 'billingAddress', name: AddressPart): { readonly field: OrganizationField } {
  return {
    field: {
      param: organizationParams[name],
      now: ({ details }) => details && partOf(details[address], name),
      write: (update, value, { details }) => {
        update[address] = {
          ...(update[address] ?? addressOf({}, details?.[address])),
          ...withPart(name, value as string),
        };
      },
    },
  };
}

/** The image is only ever replaced, so what was there before cannot be put back. */
const logo: OrganizationField = {
  param: { ...organizationParams.logo, clears: true },
  now: () => undefined,
  given: (resolved) => logoValue(resolved as FileContent | '' | undefined),
  text: (value) => fileReference(value as string),
  write: (update, _value, _item, resolved) => void (update.avatar = avatarOf(resolved as FileContent | '')),
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
    field: plain('displayName', organizationParams.name),
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
    value: ({ details }) => listed((details?.features ?? []).map(featureText)),
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
    field: contact('name', organizationParams.contactName),
  },
  email: {
    kind: 'text',
    value: ({ accessible }) => accessible.contact?.email || undefined,
    detail: 'contact',
    edit: EDIT,
    param: 'contactEmail',
    field: contact('email', organizationParams.contactEmail),
  },
  phone: {
    kind: 'text',
    value: ({ accessible }) => accessible.contact?.phone || undefined,
    detail: 'contact',
    edit: EDIT,
    param: 'contactPhone',
    field: contact('phone', organizationParams.contactPhone),
  },
  address: {
    kind: 'text',
    value: ({ details }) => addressText(details?.address),
    detail: { group: 'contact', fields: ['street', 'zipCode', 'city', 'state', 'country'] },
    edit: EDIT,
  },
  street: part('address', 'street'),
  zipCode: part('address', 'zipCode'),
  city: part('address', 'city'),
  state: part('address', 'state'),
  country: part('address', 'country'),
  vatNumber: {
    kind: 'mono',
    value: ({ details }) => details?.vatNumber || undefined,
    detail: 'billing',
    edit: EDIT,
    field: plain('vatNumber', organizationParams.vatNumber),
  },
  billingName: {
    kind: 'text',
    value: ({ details }) => details?.billingName || undefined,
    detail: 'billing',
    edit: EDIT,
    field: plain('billingName', organizationParams.billingName),
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
  billingStreet: part('billingAddress', 'street'),
  billingZipCode: part('billingAddress', 'zipCode'),
  billingCity: part('billingAddress', 'city'),
  billingState: part('billingAddress', 'state'),
  billingCountry: part('billingAddress', 'country'),
  logo: { field: logo },
  created: {
    kind: 'time',
    value: ({ details }) => textOf(details?.createdAt),
    at: ({ details }) => msOf(details?.createdAt),
    detail: 'about',
  },
});
