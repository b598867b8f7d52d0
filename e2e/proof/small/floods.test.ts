import { playSmall } from './small';

playSmall('floods');
