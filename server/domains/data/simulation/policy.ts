import { SimulationService } from '#proto/gen/hiber/simulation_pb.ts';
import { ValueSimulationService } from '#proto/gen/hiber/value_simulation_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const valueSimulationPolicy = rpcs(ValueSimulationService, {
  listValueSimulations: read('SIMULATION_MANAGE'),
  updateValueSimulations: change('SIMULATION_MANAGE'),
  disableValueSimulations: change('SIMULATION_MANAGE'),
});

export const simulationPolicy = rpcs(SimulationService, {
  get: read('SIMULATION_MANAGE'),
  update: change('SIMULATION_MANAGE'),
  listModemMessageSimulations: read('SIMULATION_MANAGE'),
  updateModemMessageSimulations: change('SIMULATION_MANAGE'),
  disableModemMessageSimulations: change('SIMULATION_MANAGE'),
});
