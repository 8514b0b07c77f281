import { enumLabels } from '#commands/kit/enum-labels.ts';
import { organizationText } from '#commands/kit/organization-names.ts';
import type { Message } from '#commands/text/message.ts';
import { Modem_Type } from '#proto/gen/hiber/modem_pb.ts';

import type { Device } from './item.ts';
import { lifecycleLabels } from './lifecycle.ts';

export const typeLabels = enumLabels(Modem_Type, 'device:type');

export function typeText({ modem }: Device): Message {
  return typeLabels.text(modem.type);
}

export function lifecycleOf({ modem }: Device): Message {
  return lifecycleLabels.text(modem.lifecycle);
}

export function organizationOf({ modem, organizations }: Device): string | Message | undefined {
  return organizationText(modem.organization, organizations);
}
