import { playSmall } from './small';

playSmall('servers');
