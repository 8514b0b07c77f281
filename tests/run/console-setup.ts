import { configure } from '@testing-library/react';

// Only what never comes fails by it: a busy machine is slower than the default of one second.
configure({ asyncUtilTimeout: 20_000 });
