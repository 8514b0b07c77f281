import { readdirSync, readFileSync } from 'node:fs';
import type { DescService } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { SingleSignOnService } from '#proto/gen/hiber/sso_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UnitPreferencesService } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { WebhookDeliveryService } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import { policyOf } from '#server/http/rpc/policies.ts';
import { effectOf } from '#server/policies/rpcs.ts';

const folder = new URL('../', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testkit\//.test(name))
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
    .filter(
      (method) => effectOf(policyOf(method), method) !== 'read' && !doubles.has(`${service.name}.${method.localName}`),
    )
    .map((method) => [service.name, method.localName] as const),
);

test.each(rpcs)('%s.%s is called by a command', (service, method) => {
  const callers = sources.filter((text) => text.includes(service) && new RegExp(`\\.${method}\\(`).test(text));
  expect(callers.length).toBeGreaterThan(0);
});
