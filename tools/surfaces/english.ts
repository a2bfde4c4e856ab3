/**
 * English words that are a slip of the keyboard away from a word of the vocabulary, in their base form: "token" is no slip
 * of "taken", and "suspect" none of "suspend". They are never corrected, and are told like other words that are not
 * understood. Frequent slips that are words too, such as "massage", are not in it.
 */
export const english = `
abandoned accidental activist addition addressee adjuncts administration agent alliance allot alloy alter amen
antibody appeal appeared archiving ardent arena arraying ashed ashing askew atone attack attracts authoring authority
avert balanced balled balling balls bared barns batter batting battling beak beater beating bedsides beetling
befitting belled belling bells bellying belonged belting berthing besetting besieges besought besting betted bettered
bettering bettor billions billowed billowing bindings bitter blacked blackest blacking blanches blanking bleak
bleating blinking blobbing bloc blockade blockhead blogging blooding blooming blotched blotching blousing boarder
boast bolder bookends boos boot booth bordered boroughs bottling boundless bounties bra brake bread bricking bridling
brine brink briny broadens brooking brownest brownies brows brunches brunt bulled bulling bulls bullying bums bungle
bunglers buns burdened buried burped burred burrs burst butter butting cabled cabling cackling cages cajoling cakes
calculation calendared calfs calibers calked calking calks callouses callus calmed calmer calming calms cancer
candling cankered cankering cannon canoeing cantered cantering caped caroling carolled carolling carps carried cart
cased cashes cashiers casing casks cassino cast castings castling catcalled catcalling caulking caves ceilings celli
cello censured censused cent chafe chalking channeled channeling channelled channelling chant chap charmed charred
charted chasm chaste chastens chastest cheapen cheapness cheat checkups cheek cheep chewiest chick chickens chilling
choke chore christens chroming chuck churning clack clanged cleanest cleanses cleat cleavers click cloak clone closest
closet closures clove cluck coasts coats cock coding cokes coking collecting collection colts comas combing combs
comet commanded commando commend communed communes companion compasses complacent compliant complies complying
composts concealed concealing conceals conceded conceding conception concerting concocting concoction conducting cones
confection conferred confided configure confined confiscation conformed congesting congestion conjured connotes
connoting consenting consoled constrict construct consulted consume consumer contacting contenting contention
contesting contorts contraction contradict contrast convection convention converge converting convicting conviction
copes coping cords cores coring correctest corrector corrupts costumed cots counteract countess counties couriers
coursing court cowing crackers cradling crams crawling creative creators creature creditor cremate crochets crock
cruising crushing crusting cuisines culled culling curbing curdling curds cure curling currency currying curst
curtseys curtsies curtsying curve customary cysts dairy daisy dally dames dares daring dated dazes deadline deans
debits debuts decay decease deceives declared declares decoded deeds defeated defected defenses defiance defies defile
definite deflated deflates deflected deigns dejected delegate demented denote dent deplete depresses derail derided
deserted destined detain detected detested deviates devise devote differed differing dills dingiest direst disconcert
discontent displace diver diverges doily doling doming donut doping dose dotes doting doubly dozing drags dregs drily
drips droop dross drums duding duping dying earl eastern edicts effecting eighth elective eliciting emits encoding
endowing enduring enrol enviable eras evenness evicting exacting exalting excepted excepting excerpt excessive
excising excreting excusing executing exerting exiting exits expansive expend explosive expressive extensive extent
extracts exulting falter feathers fellow fends festering fettering fiends filleting filthier fingering fins firs
fitter fixtures flails flees flesh foils fond forearming forearms forewarn foreword forge forger forwardest fostering
fount fracture freest freights frenzies freshens freshest frets fries frieze fright frittering fritters fund furthered
furthest gages gales gamed gamer gamest gangling gapes garb garbling gargling gases gates gazes gazetting generated
generator gentling gibes given glutting gobbling gong goo goring greet gritting grumbling guesting gutting halls
haloes halos hampered handiest handouts happiness hardened harts hastened hats hearse heeds heirs herds hilts hinds
historic hocks holes holidayed holier holler honks hoofs hoops hoots horse hose husbanded hyphened immediate
importance importing impotent inaction incenses inciting inclosing infirm informal informational informative inherent
inn interact intercept interject interment interne interpret interred intersect intrusting invective inventor
inventoried investor invoiced invoking involves keeling keels keening keyboard kilns kilos kilts kindle kneeling
lading lager lamer lamest laser latent latex lather launch laxer laxest leafing leaguing leaking leaning leaping leapt
learning leash leasing leaved lessening licks lightening likening limes linen linger lisps liter littering littlest
livening loafing loaning loathing locale lodger logger longed lookouts looms loons loosing loping lording lover loving
lowed lowing lunches lurch lynch maces maids mailboxes maiming maims mainline mains malls manger mangling mantling
marbling marsh marveling math mauling mauls mazes meat melting meres meriting mesdames metering meting minks minuet
minus minuted minutest mires misdeeds misleads misled misreads misted misused mitts moaning mobilize modified momentum
monkey monsters monument mooed mooning moped morns mounding mounting mourning movement mowed mussed naked napes
neckline needled newsiest newts notching noticing noting novice nude obscenest obscures olden omens optional optioned
orations outdoing outgrowing outlying ovations ovens overdrew overgrew overlies oversight overweight pace packed pacts
paint palace pall panes panned pans parables pared parentage parented parka parred parse parson parting partying
passages passport pastures pavement peace peddling penning pensions perked perks permanent persona personal pertains
perverts petty phoneys phonies phoniest phonying photoing physician pickaxes pigments pined pint pirating placated
placates placating placid plaguing plainest planed planet plank planner planted planting plate played playing plays
pleased pleasing pleasure pleating plotting plucking pluses poaching poets poker policing pored pores poring portal
portend porthole porticos portion postcard postcode postures pots potted potting pounding pouted pouting pouts powder
prancing precious precision predicts prefaces prenatal prevalent previews prick prickles pride pries primates prime
prince print prize probability probable produce producer production profiles profundity profusion project projection
prompted prompter promptest prone proposes prosecution prospect protective protector protest protract provisional
provisoes provisos provokes prowlers puncture puss putt puttied quack questing questioned quiet quilts quips quirk
quitted quoted radishes radiuses rage ranged ranging rasher ravishes reacting reactive readying reams rears reasoned
rebind rebounds recant receding receipted receipting recessed recessing recession reciting reclines recoiled recoiling
recollect recorder recouping recoveries recreation recurrent recurring redemption redesign reelected reelects refining
reflected reflects reforming refraining refueled refuge refusals refute regaining regaling regent registrar registry
rehashing reindeer rejection rejoinder rejoining relapses relegate relent relied relies relieve relive reloading
remainder remained remaking remodels remote remotest removals rends repaired repairing repay repealed repelled repent
reporting reprieve reproved reproves reptiles repulsed repulses requested resented residues resisted resistor
resorting resounded resounds respected restrict retailing retaining retarding retch retention reticent retorting
retrace retracted retrieve reuse revelries revenges reverent reveres reverie reversal revery revile revise revivals
revoked revolved revolver rewarding rewind ridging rigging rigs riles rinds rinks rinsing roaring robes roes rooming
roosting rooting ropes rote rotting rouge roughing rounding rouse rout routine ruining rungs salivate sanding sands
saplings sapped sash sausages savage savagest saving savvying sawing scare scent scoot scram scrape seaports sear
seceding seconded seconding seeding seedling seep seething semen sensing serpents servile shaft shams shawl shear
shedding sheen sheep sheering shell shies shins shoo shook shoon shore shorn showdown shuck shying sift signaled sing
singe skill skying slabs slapped slats slaying slays sledding sleet slews slobs slogs slosh slots slugging slugs slums
slush sluts smart smash smear smoothing snapped snare sneaking sneering snips snitch snort snuck soot soothing
sounding sours spacial spade spanking spanning spans spar sparest spark sparkles sparse sparsest spas spasm spate
spats spaying spays spear specially specialty specking sped speeding spelling spelt spewed spied spill spinning spire
splash splint sponging spore spouts spraying spreading spreed spring spurs spurts spying squaring stack stammer star
starch stark starlight startled startles starved statue statures statutes stealing steaming steeps steering stews
stick stitch stock stole stomps stoop straighten strap stratums straying struck stunk subscript suck sugaring
summarily summit sundae sundry surfaces surveyed surveyor survives suspected suspects suspense swabs swamped swamps
swans swarming swats swaying sways sweat sweaters sweeping swelling swerving swift swill tainting tales tank tapes
tarrying taxes teaks tears teas teems teething tempered temporal temporaries tempting tented tenting terminal
terminator terminuses termites terms tested testes testis textiles textured texturing thanking theaters thickens
thickest thicket thinning thread threshed throat ticked ticketed tides tied ties tiles timed timelier timeliest
timezone tinkling tires token tomes tonal towed towel toying tract trailing tramples trampling transform transverse
traps trawling treating treed trembles tricking trickles trifle trims trinkets trios tripe triplet tripos trotting
trounces troweling trowelling trued truing tweeting twine twinging twinkling twinning understate unlocked unman unpack
unsigned unstable unusable ushers vacating vacationed variation verses vexation vies visibly vocation vortices wafted
wafting waifs wailing waist waiving wakening waltzing wander wands waned wanes wantoned warbling warding warming
warping warps warring wars washings wasting watchdog watering weakened wearying weeds weekended weeps weer wees whets
whiled whine white whore winching wines winnings wintering wires witch withdrawal withdrew wits wives wizes woks women
woods worming worms worsting wound wounder wring writ writhe wrongest wrung yearn
`;
