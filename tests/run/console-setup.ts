import { configure } from '@testing-library/react';
import { vi } from 'vitest';

// Each file gets fresh modules of ours, so that no state of one reaches the next, while packages are loaded once.
vi.resetModules();

// Long enough that only a missing element fails: a busy machine is slower than the default of one second.
configure({ asyncUtilTimeout: 20_000 });
