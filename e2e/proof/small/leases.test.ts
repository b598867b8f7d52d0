import { playSmall } from './small';

playSmall('leases');
