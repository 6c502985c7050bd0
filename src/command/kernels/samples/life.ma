% Conway's Life. A cell is alive where its value is 1; truecount counts the cell itself.
[top]
components : life

[life]
type : cell
dim : (20,20)
delay : transport
defaultDelayTime : 100
border : wrapped
neighbors : life(-1,-1) life(-1,0) life(-1,1)
neighbors : life(0,-1)  life(0,0)  life(0,1)
neighbors : life(1,-1)  life(1,0)  life(1,1)
initialvalue : 0
% a glider
initialrowvalue : 1 00100000000000000000
initialrowvalue : 2 00010000000000000000
initialrowvalue : 3 01110000000000000000
localtransition : life-rule

[life-rule]
rule : 1 100 { (0,0) = 1 and (truecount = 3 or truecount = 4) }
rule : 1 100 { (0,0) = 0 and truecount = 3 }
rule : 0 100 { t }
