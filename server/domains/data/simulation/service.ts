import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';

import {
  Simulation_ModemMessageSimulation_Delete_RequestSchema,
  Simulation_ModemMessageSimulation_Delete_ResponseSchema,
  SimulationService,
} from '#proto/gen/hiber/simulation_pb.ts';
import {
  Delete_RequestSchema,
  Delete_ResponseSchema,
  ValueSimulationService,
} from '#proto/gen/hiber/value_simulation_pb.ts';
import { service } from '#server/app/service.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { scope } from '#server/session/scope.ts';

import { disableMessageSimulations, listMessageSimulations, updateMessageSimulations } from './messages.ts';
import { presentSettings, updateSettings } from './settings.ts';
import { listValueSimulations } from './value-list.ts';
import { disableValueSimulations, updateValueSimulations } from './values.ts';

const deviceScopeOf = (context: HandlerContext) => deviceScope(scope(context));

/** Simulated messages; run.ts sends them. */
export const simulationService = service(SimulationService, (app) => ({
  get: async (_, context) => presentSettings(app, deviceScopeOf(context)),

  async update(request, context) {
    const devices = deviceScopeOf(context);
    await updateSettings(app, devices.home, request);
    return presentSettings(app, devices);
  },

  listModemMessageSimulations: async (request, context) => listMessageSimulations(app, deviceScopeOf(context), request),

  updateModemMessageSimulations: async (request, context) =>
    updateMessageSimulations(app, deviceScopeOf(context), request),

  async disableModemMessageSimulations(request, context) {
    const devices = deviceScopeOf(context);
    return create(Simulation_ModemMessageSimulation_Delete_ResponseSchema, {
      deleted: await disableMessageSimulations(app, devices, request),
      request: create(Simulation_ModemMessageSimulation_Delete_RequestSchema, {
        ...request,
        organization: devices.home,
      }),
    });
  },
}));

/** Simulated values that don't come from a message; run.ts stores them. */
export const valueSimulationService = service(ValueSimulationService, (app) => ({
  listValueSimulations: async (request, context) => listValueSimulations(app, deviceScopeOf(context), request),

  updateValueSimulations: async (request, context) => updateValueSimulations(app, deviceScopeOf(context), request),

  async disableValueSimulations(request, context) {
    const devices = deviceScopeOf(context);
    return create(Delete_ResponseSchema, {
      deleted: await disableValueSimulations(app, devices, request),
      request: create(Delete_RequestSchema, { ...request, organization: devices.home }),
    });
  },
}));
