import { create } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';

import {
  Simulation_ModemMessageSimulation_Delete_RequestSchema,
  Simulation_ModemMessageSimulation_Delete_ResponseSchema,
  type SimulationService,
} from '#proto/gen/hiber/simulation_pb.ts';
import {
  Delete_RequestSchema,
  Delete_ResponseSchema,
  type ValueSimulationService,
} from '#proto/gen/hiber/value_simulation_pb.ts';
import type { App } from '#server/app/app.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { scope } from '#server/session/scope.ts';

import { disableMessageSimulations, listMessageSimulations, updateMessageSimulations } from './messages.ts';
import { presentSettings, updateSettings } from './settings.ts';
import { disableValueSimulations, listValueSimulations, updateValueSimulations } from './values.ts';

const viewer = (context: HandlerContext) => deviceScope(scope(context));

/** Simulated messages; run.ts sends them. */
export function simulationService(app: App): ServiceImpl<typeof SimulationService> {
  return {
    get: async (_, context) => presentSettings(app, viewer(context)),

    async update(request, context) {
      const caller = viewer(context);
      await updateSettings(app, caller.home, request);
      return presentSettings(app, caller);
    },

    listModemMessageSimulations: async (request, context) => listMessageSimulations(app, viewer(context), request),

    updateModemMessageSimulations: async (request, context) => updateMessageSimulations(app, viewer(context), request),

    async disableModemMessageSimulations(request, context) {
      const caller = viewer(context);
      return create(Simulation_ModemMessageSimulation_Delete_ResponseSchema, {
        deleted: await disableMessageSimulations(app, caller, request),
        request: create(Simulation_ModemMessageSimulation_Delete_RequestSchema, {
          ...request,
          organization: caller.home,
        }),
      });
    },
  };
}

/** Simulated values, which no message contains; run.ts stores them. */
export function valueSimulationService(app: App): ServiceImpl<typeof ValueSimulationService> {
  return {
    listValueSimulations: async (request, context) => listValueSimulations(app, viewer(context), request),

    updateValueSimulations: async (request, context) => updateValueSimulations(app, viewer(context), request),

    async disableValueSimulations(request, context) {
      const caller = viewer(context);
      return create(Delete_ResponseSchema, {
        deleted: await disableValueSimulations(app, caller, request),
        request: create(Delete_RequestSchema, { ...request, organization: caller.home }),
      });
    },
  };
}
