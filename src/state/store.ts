import { createStore } from 'jotai';

/**
 * The one store of the console, so that the command host, which is not a component, reads and writes the same state.
 */
export const store = createStore();
