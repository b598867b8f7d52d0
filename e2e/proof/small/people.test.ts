import { playSmall } from './small';

playSmall('people');
