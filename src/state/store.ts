import { createStore } from 'jotai';

/** The console's only store. The command host, which is not a component, shares its state. */
export const store = createStore();
