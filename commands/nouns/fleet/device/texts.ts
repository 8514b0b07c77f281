import { enumTexts } from '#commands/kit/enum-texts.ts';
import { organizationText } from '#commands/kit/organization-names.ts';
import type { Message } from '#commands/text/message.ts';
import { Modem_Type } from '#proto/gen/hiber/modem_pb.ts';

import type { Device } from './item.ts';
import { lifecycleTexts } from './lifecycle.ts';

export const typeTexts = enumTexts(Modem_Type, 'device:type');

export function typeText({ modem }: Device): Message {
  return typeTexts.text(modem.type);
}

export function lifecycleOf({ modem }: Device): Message {
  return lifecycleTexts.text(modem.lifecycle);
}

export function organizationOf({ modem, organizations }: Device): string | Message | undefined {
  return organizationText(modem.organization, organizations);
}
