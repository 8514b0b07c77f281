import type { ConnectRouter, ConnectRouterOptions, Interceptor, ServiceImpl } from '@connectrpc/connect';

import { Health } from '#proto/gen/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '#proto/gen/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionV1Alpha } from '#proto/gen/grpc/reflection/v1alpha/reflection_pb.ts';
import { AssignmentService } from '#proto/gen/hiber/assignment_pb.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { DeviceTypeService } from '#proto/gen/hiber/device_type_pb.ts';
import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { SimulationService } from '#proto/gen/hiber/simulation_pb.ts';
import { SingleSignOnService } from '#proto/gen/hiber/sso_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UnitPreferencesService } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { ValueSimulationService } from '#proto/gen/hiber/value_simulation_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { ParserTraceService } from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';
import { ServerService } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { WebhookDeliveryService } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { callerInterceptor } from '#server/db/pool/caller.ts';
import { grpcHealth } from '#server/domains/console/server/grpc-health.ts';
import { reflection } from '#server/domains/console/server/grpc-reflection.ts';
import { serverService } from '#server/domains/console/server/service.ts';
import { fieldService } from '#server/domains/data/field/service.ts';
import { parserService, parserTraceService } from '#server/domains/data/parser/service.ts';
import { simulationService, valueSimulationService } from '#server/domains/data/simulation/service.ts';
import { valueService } from '#server/domains/data/value/service.ts';
import { assignmentService } from '#server/domains/fleet/assignment/service.ts';
import { deviceTypeService } from '#server/domains/fleet/device-type/service.ts';
import { deviceService } from '#server/domains/fleet/device/device-service.ts';
import { modemService } from '#server/domains/fleet/device/modem-service.ts';
import { messageService } from '#server/domains/fleet/message/service.ts';
import { testingService } from '#server/domains/fleet/message/testing-service.ts';
import { processPointService } from '#server/domains/fleet/process-point/service.ts';
import { tagService } from '#server/domains/fleet/tag/service.ts';
import { tokenService } from '#server/domains/integrations/token/service.ts';
import { webhookDeliveryService } from '#server/domains/integrations/webhook/delivery-service.ts';
import { webhookService } from '#server/domains/integrations/webhook/service.ts';
import { organizationService } from '#server/domains/people/organization/service.ts';
import { roleService } from '#server/domains/people/role/service.ts';
import { sessionService } from '#server/domains/people/sign-in/service.ts';
import { supportService } from '#server/domains/people/support-session/service.ts';
import { userService } from '#server/domains/people/user/service.ts';
import { roleOverrides } from '#server/domains/self/me/override.ts';
import { currentUserService } from '#server/domains/self/me/service.ts';
import { ssoService } from '#server/domains/self/me/sso-service.ts';
import { unitPreferencesService } from '#server/domains/self/me/unit-preferences-service.ts';
import { eventService } from '#server/domains/signals/event/service.ts';
import { healthService } from '#server/domains/signals/health-level/service.ts';
import { emailService } from '#server/domains/signals/notification/service.ts';
import { sessionInterceptor } from '#server/session/interceptor.ts';

import { errorInterceptor } from './errors.ts';
import { rejectMalformedAsInvalid } from './malformed.ts';
import { policyOf, type ServiceWithPolicy } from './policies.ts';
import { unknownFieldsInterceptor } from './unknown-fields.ts';
import '#server/wire/long-numbers.ts';

/** gRPC's own default for received messages: "message size is bound by gRPC limits" (contract: Conventions). */
export const MAX_BYTES_RECEIVED = 4 * 1024 * 1024;
/** The maximum size for rpcs without sign-in, which have tiny requests. */
export const MAX_BYTES_UNAUTHENTICATED = 64 * 1024;
/** A page of a thousand devices with all their details is about 2 MB. */
const MAX_BYTES_SENT = 32 * 1024 * 1024;

/**
 * Rejects JSON that isn't UTF-8, as protobuf does: decoding it loosely would store U+FFFD in place of the original.
 * Connect's own default silently drops unknown names (see unknownFieldsInterceptor).
 */
const jsonOptions = { ignoreUnknownFields: false, textDecoder: new TextDecoder('utf-8', { fatal: true }) };

/** Returns the options that apply to every call in any protocol, for limits, errors, and sessions. */
export function routerOptions(app: App): ConnectRouterOptions {
  return {
    interceptors: [
      errorInterceptor(app.log),
      callerInterceptor(),
      sessionInterceptor(app, policyOf),
      unknownFieldsInterceptor,
      rejectAborted,
    ],
    jsonOptions,
    readMaxBytes: MAX_BYTES_RECEIVED,
    writeMaxBytes: MAX_BYTES_SENT,
  };
}

/** Rejects a call if its deadline passed or its caller hung up during the preceding checks. */
const rejectAborted: Interceptor = (next) => (request) => {
  request.signal.throwIfAborted();
  return next(request);
};

/**
 * Returns the routes of all services.
 *
 * @param shutdown aborts when the server starts to shut down
 */
export function createRoutes(app: App, shutdown: AbortSignal): (router: ConnectRouter) => void {
  return (router) => {
    const serve = <S extends ServiceWithPolicy>(service: S, handlers: Partial<ServiceImpl<S>>): void => {
      router.service(service, handlers);
    };
    serve(AssignmentService, assignmentService(app));
    serve(CurrentUserService, currentUserService(app));
    serve(DeviceService, deviceService(app));
    serve(DeviceTypeService, deviceTypeService());
    serve(EmailNotificationPreferencesService, emailService(app));
    serve(EventService, eventService(app));
    serve(FieldService, fieldService(app));
    serve(HealthService, healthService(app));
    serve(MessageService, messageService(app));
    serve(ModemMessageBodyParserService, parserService(app));
    serve(ModemService, modemService(app));
    serve(OrganizationService, organizationService(app));
    serve(ProcessPointService, processPointService(app));
    serve(RoleService, { ...roleService(), ...roleOverrides(app) });
    serve(ServerService, serverService(app));
    serve(SessionService, sessionService(app));
    serve(SimulationService, simulationService(app));
    serve(SingleSignOnService, ssoService(app));
    serve(SupportService, supportService(app));
    serve(TagService, tagService(app));
    serve(TestingService, testingService(app));
    serve(TokenService, tokenService(app));
    serve(UnitPreferencesService, unitPreferencesService(app));
    serve(UserService, userService(app));
    serve(ValueService, valueService(app));
    serve(ValueSimulationService, valueSimulationService(app));
    serve(ParserTraceService, parserTraceService(app));
    serve(WebhookDeliveryService, webhookDeliveryService(app));
    serve(WebhookService, webhookService(app));
    // Registered last because health and reflection list the services above.
    const services = [...new Set(router.handlers.map(({ service }) => service))];
    serve(Health, grpcHealth(app, services, shutdown));
    const reflectedServices = [...services, Health, ServerReflection, ServerReflectionV1Alpha];
    serve(ServerReflection, reflection(reflectedServices));
    serve(ServerReflectionV1Alpha, reflection(reflectedServices));
    rejectMalformedAsInvalid(router);
  };
}
