% An epidemic on a map without a border (White et al. 2007). A cell is a place; its value is the share of its people who are
% infected, and a variable has the share of those who may still be. A day is 1000 ms; 40 of 100 infected recover in a day.
[top]
components : map

[map]
type : cell
dim : (15,15)
delay : transport
defaultDelayTime : 1000
border : wrapped
neighbors :           map(-1,0)
neighbors : map(0,-1) map(0,0)  map(0,1)
neighbors :           map(1,0)
initialvalue : 0
initialrow : 7 0 0 0 0 0 0 0 0.3 0 0 0 0 0 0 0
neighborports : infected
statevariables : susceptible new
statevalues : 1 0
localtransition : day

[day]
rule : { ~infected := 0.6 * (0,0)~infected + $new; }
       { $susceptible := if(time = 0, 1 - (0,0)~infected, $susceptible);
         $new := $susceptible * (0.6 * (0,0)~infected + 0.3 * #Macro(around));
         $susceptible := $susceptible - $new; }
       1000 { t }

#BeginMacro(around)
((-1,0)~infected + (0,-1)~infected + (0,1)~infected + (1,0)~infected)
#EndMacro
