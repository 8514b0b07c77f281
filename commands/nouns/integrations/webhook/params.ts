import { EVENTS, eventLabels } from '#commands/kit/event-types.ts';
import { p } from '#commands/model/params.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { suggestLevels } from '#commands/nouns/signals/health-level/entity.ts';
import { MAX_LENGTH, MAX_WARNING_PERIOD_S } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';

import { contentTypeLabels } from './item.ts';

export type Pairs = Readonly<Record<string, string>>;

function checkUrl(value: string): Message | undefined {
  return /^https?:\/\/[^\s/]+\S*$/i.test(value.trim()) ? undefined : message('core:validation.url', { value });
}

const CONTENT_TYPES = p.names(Webhook_ContentType);
export type ContentTypeName = (typeof CONTENT_TYPES)[number];

/** A valid header name according to RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function checkHeaders(value: Pairs): Message | undefined {
  const invalidHeader = Object.entries(value).find(([name, text]) => !HEADER_NAME.test(name) || /[\r\n]/.test(text));
  return invalidHeader && message('webhook:validation.header', { name: invalidHeader[0] });
}

const label = eventLabels.byName;
const noExceptions = message('webhook:none.except');

/** Params shared by the create and edit commands. The least common params come last. */
export const webhookParams = {
  url: p.text({ placeholder: 'https://example.com/in', check: checkUrl, maxLength: MAX_LENGTH.webhookUrl }),
  description: p.text({ clears: true, maxLength: MAX_LENGTH.webhookText }),
  events: p.choices(EVENTS, { label, noneText: message('webhook:none.events') }),
  exceptEvents: p.choices(EVENTS, { label, noneText: noExceptions }),
  devices: p.refs(() => device, { noneText: message('webhook:none.devices') }),
  tags: p.refs(() => tag, { noneText: message('webhook:none.tags') }),
  healthLevels: p.words({ suggest: suggestLevels, noneText: message('webhook:none.healthLevels') }),
  contentType: p.choice(CONTENT_TYPES, { label: contentTypeLabels.byName }),
  secret: p.secret({ clears: true }),
  hmacHeader: p.text({
    clears: true,
    placeholder: 'X-Hub-Signature',
    check: (value) =>
      value === '' || HEADER_NAME.test(value) ? undefined : message('webhook:validation.header', { name: value }),
  }),
  headers: p.pairs({ check: checkHeaders, hidden: true, maxLength: MAX_LENGTH.headerValue }),
  warningPeriod: p.duration({ min: 0, max: MAX_WARNING_PERIOD_S }),
  warningPercentage: p.number({ integer: true, min: 0, max: 100 }),
  exceptDevices: p.refs(() => device, { noneText: noExceptions }),
  exceptTags: p.refs(() => tag, { noneText: noExceptions }),
};
