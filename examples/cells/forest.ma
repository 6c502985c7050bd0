% A forest that burns and grows again: 0 is bare, 1 a tree, 2 a fire. A fire lights each neighboring tree with
% probability 0.4 a turn.
[top]
components : forest

[forest]
type : cell
width : 32
height : 32
delay : inertial
defaultDelayTime : 1
border : wrapped
neighbors : forest(-1,0) forest(0,-1) forest(0,0) forest(0,1) forest(1,0)
initialvalue : 1
initialcellsvalue : forest.val
localtransition : burns

[burns]
rule : 0 {uniform(2, 6)} { (0,0) = 2 }
rule : 2 1 { (0,0) = 1 and statecount(2) > 0 and random < 0.4 * statecount(2) }
rule : 1 {20 + randInt(40)} { (0,0) = 0 }
rule : {(0,0)} 1 { statecount(2) = 0 }
