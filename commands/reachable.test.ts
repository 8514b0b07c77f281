import { readdirSync, readFileSync } from 'node:fs';
import type { DescService } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { CurrentUserService } from '#proto/hiber/current_user_pb';
import { DeviceService } from '#proto/hiber/device_pb';
import { EmailNotificationPreferencesService } from '#proto/hiber/email_pb';
import { ModemService } from '#proto/hiber/modem_pb';
import { OrganizationService } from '#proto/hiber/organization_pb';
import { RoleService } from '#proto/hiber/role_service_pb';
import { SingleSignOnService } from '#proto/hiber/sso_pb';
import { TagService } from '#proto/hiber/tag_pb';
import { TestingService } from '#proto/hiber/testing_pb';
import { TokenService } from '#proto/hiber/token_pb';
import { UnitPreferencesService } from '#proto/hiber/unit_preferences_pb';
import { UserService } from '#proto/hiber/user_pb';
import { WebhookService } from '#proto/hiber/webhook_pb';
import { SessionService } from '#proto/quarterdeck/session/v1/session_service_pb';
import { SupportService } from '#proto/quarterdeck/support/v1/support_service_pb';
import { WebhookDeliveryService } from '#proto/quarterdeck/webhook/v1/webhook_delivery_service_pb';
import { effectOf } from '../proto/effects.ts';

const folder = new URL('./', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(name))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** The services that the server has. */
const services: readonly DescService[] = [
  CurrentUserService,
  DeviceService,
  EmailNotificationPreferencesService,
  ModemService,
  OrganizationService,
  RoleService,
  SessionService,
  SingleSignOnService,
  SupportService,
  TagService,
  TestingService,
  TokenService,
  UnitPreferencesService,
  UserService,
  WebhookDeliveryService,
  WebhookService,
];

/** The same as another rpc, which the commands call. */
const doubles: ReadonlySet<string> = new Set([
  'CurrentUserService.overrideRoles',
  'CurrentUserService.restoreRoles',
  // A batch of accounts is a script of lines.
  'UserService.createUsers',
]);

const rpcs = services.flatMap((service) =>
  service.methods
    .filter((method) => effectOf(method) !== 'read' && !doubles.has(`${service.name}.${method.localName}`))
    .map((method) => [service.name, method.localName] as const),
);

test.each(rpcs)('%s.%s is called by a command', (service, method) => {
  const callers = sources.filter((text) => text.includes(service) && new RegExp(`\\.${method}\\(`).test(text));
  expect(callers.length).toBeGreaterThan(0);
});
