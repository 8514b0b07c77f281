import { Modem_Type } from '#proto/gen/hiber/modem_pb.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import { organizationText } from '#commands/kit/organization-names.ts';
import type { Message } from '#commands/text/message.ts';
import type { Device } from './item.ts';
import { lifecycleWords } from './lifecycle.ts';

export const typeWords = enumWords(Modem_Type, 'device:type');

export function typeText({ modem }: Device): Message {
  return typeWords.word(modem.type);
}

export function lifecycleOf({ modem }: Device): Message {
  return lifecycleWords.word(modem.lifecycle);
}

export function organizationOf({ modem, organizations }: Device): string | Message | undefined {
  return organizationText(modem.organization, organizations);
}
