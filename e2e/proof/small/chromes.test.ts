import { playSmall } from './small';

playSmall('chromes');
