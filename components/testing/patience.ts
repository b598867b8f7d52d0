import { configure } from '@testing-library/react';

// `findBy…` and `waitFor` give up after a second, which a busy machine takes for a few requests.
configure({ asyncUtilTimeout: 10_000 });
