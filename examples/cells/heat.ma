% Heat on a plate that nothing is known of beyond its border. A cell follows the mean of its neighborhood; the upper row is
% heated, the left column is cooled. A new mean replaces one that still waits.
#include(heat.inc)

[top]
components : plate

[plate]
type : cell
dim : (16,16)
delay : inertial
defaultDelayTime : 10
border : nowrapped
neighbors :             plate(-1,0)
neighbors : plate(0,-1) plate(0,0)  plate(0,1)
neighbors :             plate(1,0)
initialvalue : 20
zone : heated { (0,0)..(0,15) }
zone : cooled { (1,0)..(15,0) }
localtransition : inner

[heated]
rule : 100 50 { (0,0) != 100 }
rule : {(0,0)} 50 { t }

[cooled]
rule : 0 30 { (0,0) != 0 }
rule : {(0,0)} 30 { t }

[inner]
% slower where the difference is small
rule : {#Macro(mean)} { if(abs(#Macro(mean) - (0,0)) > 5, 10, 25) } { abs(#Macro(mean) - (0,0)) > 0.5 }
rule : {(0,0)} 10 { t }
